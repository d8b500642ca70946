"""Ways in which connections are made without checking who answers, a module for each kind of way."""
