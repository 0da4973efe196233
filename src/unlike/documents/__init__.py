"""What people already have, as specs: ready values, types, schemas, programs."""
