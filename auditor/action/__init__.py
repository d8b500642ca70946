"""GitHub's way in: the runner's environment and the event become an audit, a gate and what is published of them."""
