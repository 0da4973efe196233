"""What people already have becomes specs: types, schemas, documents."""
