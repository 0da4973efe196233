"""A search with concrete values, wherever its calls are made."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from unlike.classes.api import Api
from unlike.classes.executors import CannotTravelError, InCopy, InPieces
from unlike.classes.judging import FoundClass
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result, result_of
from unlike.classes.run import SearchRun, SearchSpec
from unlike.errors import TargetError, UnlikeError
from unlike.isolation import can_fork, is_in_copy
from unlike.scope import Scope


@dataclass(frozen=True, slots=True)
class KnownApis:
    """What can be called, read once for each scope and classes met on the way."""

    known: list[tuple[Scope, tuple[type, ...], Api]] = field(default_factory=list)

    def api(self, spec: SearchSpec) -> Api:
        """Return what can be called on the targets; refuse an invariant that none of them has."""
        for scope, extra, api in self.known:
            if scope is spec.scope and extra == spec.extra:
                return api
        api = spec.api()
        invariant = spec.options.invariant
        if invariant is not None and not any(hasattr(cls, invariant) for cls in api.classes):
            raise TargetError(f"no class explored has a method {invariant!r} that could be the invariant")
        self.known.append((spec.scope, spec.extra, api))
        return api


def explore_concrete(spec: SearchSpec, policy: SearchPolicy, apis: KnownApis) -> Result:
    """Search to the end; a search that meets objects with operations of their own begins again with them."""
    while True:
        try:
            return result_of(_run(apis.api(spec), spec, policy))
        except FoundClass as found:  # its objects take part from the start
            spec = replace(spec, extra=(*spec.extra, found.cls))


def _run(api: Api, spec: SearchSpec, policy: SearchPolicy) -> SearchRun:
    """Search in this process, in a copy of it, or in several workers."""
    search = SearchRun(api, spec, policy)
    isolation, workers = spec.options.isolation, spec.options.isolation.workers
    splits = policy.is_usual and spec.options.matching  # other searches choose each call by what they found before
    if isolation.is_here or is_in_copy():
        search.run()
    elif splits and (not can_fork() or not (workers is None or isinstance(workers, int))):
        InPieces(search, spec).run()
    elif not can_fork():
        search.run()
    else:
        search.isolated = True
        copies = InCopy(search, workers if splits and isinstance(workers, int) else 1)
        try:
            copies.run()
        except CannotTravelError as error:
            if copies.faults.deadly:
                fault = next(iter(copies.faults.deadly.values()))
                raise UnlikeError(
                    f"what was found cannot be sent from one process to another ({error}), and a call ended its "
                    f"process ({fault.cause}); omit the field that holds it (--omit-fields), or leave the call out "
                    "(--methods)"
                ) from None
            search = SearchRun(api, spec, policy)
            search.remark = f"explored in this process, because what was found cannot be sent to another one ({error})"
            search.run()
    return search
