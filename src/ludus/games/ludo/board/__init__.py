"""From a rule set to the board as a graph, to routes, to the tables that the kernel reads."""
