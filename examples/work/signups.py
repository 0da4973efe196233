"""A form to sign up with, for whoever validates it on the server.

The user name is 3 to 16 characters: a letter, then letters, digits and underscores. The password has 8 to 20
characters, among them a small letter, a capital, a digit and one of `!#$%&*?@`. It is typed twice, the same both
times, and does not contain the user name. Whoever signs up is 13 or older; the newsletter is for adults.

Two forms differ in the branch that the user name takes, in the length of the password, or in being an adult's.

What it guarantees: forms that the server must accept, with passwords of every length and users of every kind.
"""

from unlike import Bool, Int, Spec, Str, cover, different_lengths, differs_by, email, implies

USER = r"[a-z][a-z0-9_]{2,15}"
PASSWORD = r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!#$%&*?@])[A-Za-z0-9!#$%&*?@]{8,20}"

signups = Spec(
    {
        "user": Str(USER),
        "email": email(),
        "password": Str(PASSWORD),
        "confirm": Str(max_length=20),
        "age": Int(13, 120),
        "newsletter": Bool(),
    },
    where=[
        lambda password, confirm: password == confirm,
        lambda user, password: ~password.contains(user),
        lambda age, newsletter: implies(newsletter, age >= 18),
    ],
    different=[
        cover.regex("user", USER),
        different_lengths("password"),
        differs_by(lambda age: age >= 18),
    ],
    name="signups",
    n=20,
)
