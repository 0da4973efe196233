"""Who may do what to a document, for the function that decides.

A request names a role, an action, whether the document is one's own and whether it is archived, and the answer it must
get. Guests read. Authors write, delete and share their own. Editors write everything, share their own
and delete nothing. Administrators do everything, and nobody else writes or deletes what is archived.

Any two requests differ; nothing else is asked.

What it guarantees: all 64 requests there are, each with its one right answer; the first twenty are not all of one role.
"""

from enum import Enum

from unlike import Bool, OneOf, Spec


class Role(Enum):
    """Who asks."""

    GUEST = "guest"
    AUTHOR = "author"
    EDITOR = "editor"
    ADMIN = "admin"


class Action(Enum):
    """What for."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    SHARE = "share"


def may(role, action, own, archived):
    """Return whether the request is granted, as a term."""
    changes = action.is_in([Action.WRITE, Action.DELETE])
    by_author = (role == Role.AUTHOR) & own
    by_editor = (role == Role.EDITOR) & ((action == Action.WRITE) | ((action == Action.SHARE) & own))
    return (role == Role.ADMIN) | (action == Action.READ) | ((by_author | by_editor) & ~(changes & archived))


permissions = Spec(
    {
        "role": OneOf(Role),
        "action": OneOf(Action),
        "own": Bool(),
        "archived": Bool(),
        "granted": Bool(),
    },
    where=lambda role, action, own, archived, granted: granted == may(role, action, own, archived),
    name="permissions",
)
