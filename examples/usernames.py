"""User names for an authentication service, different in four ways: equal or not, by length, by edits, by branch."""

from unlike import Spec, Str, cover, different_lengths, edit_distance

USER = r"[a-zA-Z0-9_]+"
username = Str(USER, max_length=12)

any_names = Spec({"username": username}, name="any_names", n=10)
lengths = Spec({"username": username}, different=different_lengths("username"), name="lengths", n=10)
far_apart = Spec({"username": username}, different=edit_distance("username", 3), name="far_apart", n=10)
branches = Spec({"username": username}, different=cover.regex("username", USER), name="branches", n=10)

usernames = [any_names, lengths, far_apart, branches]
