"""Settings: their kinds, their place in the session and the link, their controls and rules."""
