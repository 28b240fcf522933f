"""Lectures that phones follow: rooms, what keeps them, how they are served, and the presenter's panel."""
