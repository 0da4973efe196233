"""Programs to point unlike at: data structures, small services, each with a healthy and a broken side."""
