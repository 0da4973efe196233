"""From what people already have (types, schemas, programs) to specs."""
