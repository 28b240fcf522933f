"""The parts of the page that shows whole tables: where their rows lie, which are alike, what directions mean."""
