"""Lectures that phones follow: rooms, their store, event streams, and the presenter's panel."""
