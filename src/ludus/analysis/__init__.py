"""What a game or a position was worth: values, luck, errors, rollouts, and reports of them."""
