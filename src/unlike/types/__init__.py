"""Annotations, read once into a tree; values, choices, pools and domains are readings of that tree."""
