"""Sixteen specs of ordinary work: what each input must satisfy, how any two differ, and what that guarantees."""
