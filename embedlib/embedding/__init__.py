"""The embedding layer: its table and lookup, how it is initialised, what a lookup costs, which rows a step moves."""
