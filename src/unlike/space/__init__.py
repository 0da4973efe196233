"""A spec taken apart: independent components, their members counted or streamed, the difference in its core form."""
