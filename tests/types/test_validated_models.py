"""The second opinions of the validated models are right: each model accepts what its function calls legal, and no more."""

from itertools import product

import pytest
from tests.types.validated_models import SUBJECTS, Headline, Mailbox, Password

TEXTS = ["abc", "a@b", "@@", "abcd", "ab#d", "ABC", "A1", "12", "abcdefghijkl#", "@a@", "@@@", "a@bcdefgh", "ABCDEFG"]


def each(subjects):
    return pytest.mark.parametrize("subject", subjects, ids=lambda subject: subject.model.__name__)


def accepts(model, arguments):
    try:
        model(**arguments)
    except ValueError:  # pydantic's ValidationError is one
        return False
    return True


def test_there_are_twenty():
    assert len(SUBJECTS) == len({subject.model for subject in SUBJECTS}) == 20


@each(SUBJECTS)
def test_witnesses_are_legal_and_accepted(subject):
    assert subject.witnesses
    for arguments in subject.witnesses:
        assert subject.is_legal(**arguments)
        assert accepts(subject.model, arguments)


@each([subject for subject in SUBJECTS if subject.space])
def test_a_model_accepts_what_its_function_calls_legal_and_nothing_else(subject):
    verdicts = set()
    for values in product(*subject.space.values()):
        arguments = dict(zip(subject.space, values, strict=True))
        verdicts.add(legal := subject.is_legal(**arguments))
        assert accepts(subject.model, arguments) is legal, arguments

    assert verdicts == {True, False}


@pytest.mark.parametrize("model", [Password, Mailbox, Headline])
def test_texts_too_many_to_try_are_judged_alike_by_model_and_function(model):
    (subject,) = [subject for subject in SUBJECTS if subject.model is model]
    (name,) = subject.witnesses[0]

    verdicts = [accepts(model, {name: text}) for text in TEXTS]

    assert verdicts == [subject.is_legal(text) for text in TEXTS]
    assert set(verdicts) == {True, False}
