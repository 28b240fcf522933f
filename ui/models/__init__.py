"""The page of trained models: what one is made of, its rows and positions, and two of them side by side."""
