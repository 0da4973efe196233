"""Questions to a solver, and its answers. Nothing else talks to one."""
