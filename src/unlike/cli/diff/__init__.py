"""`unlike diff`: words become two versions, these a verdict, and that an answer."""
