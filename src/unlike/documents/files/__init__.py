"""Files that people have, JSON or YAML, as plain data: read safely, refused with the place that is wrong."""

from unlike.documents.files.read import parse_document, read_document

__all__ = ["parse_document", "read_document"]
