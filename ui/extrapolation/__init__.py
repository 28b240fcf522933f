"""The parts of the page that trains short and tests long."""
