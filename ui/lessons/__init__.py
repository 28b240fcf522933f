"""Lessons: stops on the pages, one after the other, each with what to see, to try and to answer."""
