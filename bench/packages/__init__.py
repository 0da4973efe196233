"""Exploration of classes that anybody wrote, without a word of help: `python -m bench packages`."""
