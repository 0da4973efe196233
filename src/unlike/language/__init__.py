"""What a user may say: values, assertions about one input, differences between any two. All of it frozen data."""
