"""Files that people have, JSON or YAML, as plain data: read safely, refused with the place that is wrong."""
