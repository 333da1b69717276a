"""The Ludo family: rules as data, one kernel that reads them."""
