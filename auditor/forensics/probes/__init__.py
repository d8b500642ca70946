"""The probes, one module per topic. Every module here is found by itself."""
