"""JSON Schema: a document and a pointer into it become a shape, and a validator that knows nothing of the shape."""
