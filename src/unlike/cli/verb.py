"""A command that answers even where it is ended before it has found anything."""

from __future__ import annotations

from typing import Any

import click

from unlike.cli.deliver import deliver, has_begun, heading
from unlike.core import CutShort
from unlike.suite import STOPPED, Ending, Status
from unlike.writers.answers.envelope import Envelope, Remark


class Verb(click.Command):
    """A command; what ends it from outside becomes the status of an answer without cases."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; where it is ended by Ctrl-C, by the clock or for want of memory, answer so much."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            status = STOPPED
        except CutShort as cut:
            status = cut.status
        except MemoryError:
            status = Status(Ending.FAILED, "out of memory; --memory MB allows more")
        arguments = [ctx.params[each.name] for each in self.params if isinstance(each, click.Argument) and each.name]
        targets = arguments[0] if isinstance(arguments[0], tuple) else filter(None, arguments)
        answer = Envelope(**heading(targets), status=status, remarks=(Remark(str(status), is_status=True),))
        as_json = ctx.params.get("form") == "json" and ctx.params.get("output") is None and not has_begun()
        return deliver(answer, "json" if as_json else "count")
