"""The web server around the pages: warm-up, routes, security headers, limits, logs."""
