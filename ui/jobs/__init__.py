"""Long work: its queue, its turns, who still watches, and how it is shown."""
