"""What the terminal and the server share: the table (the one authority over a game), its seats, its words, its bots."""
