"""Pictures of what is published, as GitHub shows it; nothing of this runs in the suite."""
