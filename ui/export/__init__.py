"""Numbers and figures as files."""
