"""Lessons: a sequence of stops on the app's pages, each with a text, a task and a question."""
