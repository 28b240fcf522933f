"""A small grammar whose words have known kinds, and the sentences it makes."""
