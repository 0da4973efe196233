"""`unlike explore`: what is asked, and how its answer is told."""
