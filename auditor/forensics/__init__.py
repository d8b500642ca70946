"""Evidence: what the code says, gathered before anybody judges."""
