"""Small, provably useful sets of test inputs: space × difference → suite.

Names are loaded when they are first used, so that importing this package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # "as" says to type checkers that a name is public
    from unlike.behaviour.verbs import generate as generate
    from unlike.classes.builders import builders as builders
    from unlike.diff.verb import assert_same as assert_same
    from unlike.documents.programs.read import read_program as read_program
    from unlike.documents.programs.write import write_program as write_program
    from unlike.documents.ready_made import (
        Location as Location,
        Place as Place,
        TimeZone as TimeZone,
        account_number as account_number,
        email as email,
        iban as iban,
        ip_address as ip_address,
        iso_date as iso_date,
        slug as slug,
        url as url,
        uuid as uuid,
    )
    from unlike.documents.spec_files import spec as spec
    from unlike.errors import (
        InvariantError as InvariantError,
        RecipeError as RecipeError,
        SavedFileError as SavedFileError,
        ScopeError as ScopeError,
        SolverError as SolverError,
        SpecError as SpecError,
        TargetError as TargetError,
        UnlikeError as UnlikeError,
    )
    from unlike.explore import explore as explore
    from unlike.field_exhaustive import field_coverage as field_coverage
    from unlike.field_exhaustive.fewest import fewest as fewest
    from unlike.invariants.verbs import structures as structures
    from unlike.language.differences import (
        all_of as all_of,
        always as always,
        boundary as boundary,
        cover as cover,
        different_lengths as different_lengths,
        differs_by as differs_by,
        distance as distance,
        edit_distance as edit_distance,
        enumerate_ as enumerate_,
        enumerate_linear as enumerate_linear,
        ite as ite,
        never as never,
        not_different as not_different,
        not_equal as not_equal,
        python_difference as python_difference,
        relation as relation,
        some_of as some_of,
    )
    from unlike.language.expressions import and_ as and_, implies as implies, not_ as not_, or_ as or_
    from unlike.language.spec import Spec as Spec, blank as blank
    from unlike.language.values import (
        Bool as Bool,
        Date as Date,
        DateTime as DateTime,
        Decimal as Decimal,
        Int as Int,
        List as List,
        OneOf as OneOf,
        Option as Option,
        Real as Real,
        Str as Str,
        Time as Time,
        Timedelta as Timedelta,
        record as record,
    )
    from unlike.language.where import matching as matching, predicate as predicate
    from unlike.scope import Scope as Scope
    from unlike.suite import Case as Case, Ending as Ending, Status as Status, Suite as Suite
    from unlike.testing.decorators import inputs as inputs, objects as objects
    from unlike.testing.fields_decorator import fields as fields
    from unlike.testing.strategies import as_strategy as as_strategy, examples as examples
    from unlike.typed.generate import coverage_of as coverage_of
    from unlike.typed.verbs import invalid as invalid
    from unlike.types.markers import Covering as Covering, Differing as Differing, Matching as Matching
    from unlike.types.terms import value_of as value_of
    from unlike.writers.json_file import load as load
    from unlike.writers.json_texts import json_texts as json_texts

__version__ = "0.1.0"

_WHERE = {  # the public names, by the modules that they are loaded from
    "unlike.behaviour.verbs": "generate",
    "unlike.classes.builders": "builders",
    "unlike.diff.verb": "assert_same",
    "unlike.errors": (
        "InvariantError RecipeError SavedFileError ScopeError SolverError SpecError TargetError UnlikeError"
    ),
    "unlike.types.markers": "Covering Differing Matching",
    "unlike.types.terms": "value_of",
    "unlike.language.differences": (
        "all_of always boundary cover different_lengths differs_by distance edit_distance enumerate_ enumerate_linear "
        "ite never not_different not_equal python_difference relation some_of"
    ),
    "unlike.language.expressions": "and_ implies not_ or_",
    "unlike.documents.programs.read": "read_program",
    "unlike.documents.programs.write": "write_program",
    "unlike.documents.ready_made": (
        "Location Place TimeZone account_number email iban ip_address iso_date slug url uuid"
    ),
    "unlike.documents.spec_files": "spec",
    "unlike.language.spec": "Spec blank",
    "unlike.language.values": "Bool Date DateTime Decimal Int List OneOf Option Real Str Time Timedelta record",
    "unlike.language.where": "matching predicate",
    "unlike.explore": "explore",
    "unlike.field_exhaustive": "field_coverage",
    "unlike.field_exhaustive.fewest": "fewest",
    "unlike.invariants.verbs": "structures",
    "unlike.scope": "Scope",
    "unlike.writers.json_file": "load",
    "unlike.writers.json_texts": "json_texts",
    "unlike.suite": "Case Ending Status Suite",
    "unlike.typed.generate": "coverage_of",
    "unlike.typed.verbs": "invalid",
    "unlike.testing.decorators": "inputs objects",
    "unlike.testing.fields_decorator": "fields",
    "unlike.testing.strategies": "as_strategy examples",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'unlike' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
