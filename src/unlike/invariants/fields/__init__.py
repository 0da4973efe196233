"""The scope of an invariant: what every field may hold, read from the class and overridden field by field."""
