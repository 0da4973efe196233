"""Every object a class can build: from classes and a scope to all states their own methods reach."""
