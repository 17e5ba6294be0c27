"""Index notation: text and objects to entries, and back."""

from __future__ import annotations

import random
import subprocess
import sys
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from restride.errors import DTypeError, RestrideError, ShapeError, UnsupportedError
from restride.layout.notation import as_entries, format_index, parse_index, shown


class Grab:
    """Python's own reading of an index."""

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return index if isinstance(index, tuple) else (index,)


S = Grab()

READ = [
    ("foo[1, 2:4, None, ..., :-3:-1, :]", S[1, 2:4, None, ..., :-3:-1, :]),
    ("[1, ::2]", S[1, ::2]),
    ("1, 2:4", S[1, 2:4]),
    ("1", S[1]),
    ("1,", S[1,]),
    ("[1, 2,]", S[1, 2]),
    (":", S[:]),
    ("::", S[::]),
    ("1:", S[1:]),
    (":1:", S[:1:]),
    ("-1::-1", S[-1::-1]),
    ("...", S[...]),
    ("newaxis, np.newaxis, tf.newaxis, None", S[None, None, None, None]),
    ("+3, - 4, -0, 00", S[3, -4, 0, 0]),
    ("[()]", ()),
    ("foo[ ( ) ]", ()),
    ("()", ()),
    ("  a.b_2 \n[ 1 : 2 : 3 ,\t4 ]  ", S[1:2:3, 4]),
    ("größe[0]", S[0]),
    (f"{2**63}, {-(2**70)}:{10**600}", S[2**63, -(2**70) : 10**600]),
    ("9" * 640, S[10**640 - 1]),
]


@pytest.mark.parametrize(("text", "entries"), READ, ids=[t[:30] for t, _ in READ])
def test_text_reads_as_python_reads_it(text: str, entries: tuple[Any, ...]) -> None:
    assert parse_index(text) == entries
    assert as_entries(text) == entries
    assert all(type(e) is not bool for e in parse_index(text))


REFUSED = [
    ("", "an entry is missing at character 1"),
    ("[]", "an entry is missing at character 2"),
    ("foo[ ]", "an entry is missing at character 6"),
    (",", "an entry is missing at character 1"),
    ("1,,2", "an entry is missing at character 3"),
    ("1,2,,", "an entry is missing at character 5"),
    ("[1, 2.5]", "'2.5' is not an integer at character 5"),
    ("1e3", "'1e3' is not an integer at character 1"),
    ("0x10", "'0x10' is not an integer at character 1"),
    ("1_000", "'1_000' is not an integer at character 1"),
    ("01", "'01' is not an integer at character 1"),
    ("1 2", "'1 2' is not an integer at character 1"),
    ("--1", "'--1' is not an integer at character 1"),
    ("1+1", "'1+1' is not an integer at character 1"),
    ("-", "'-' is not an integer at character 1"),
    ("٣", "'٣' is not an integer at character 1"),
    ("....", "'....' is not an integer at character 1"),
    (". . .", "'. . .' is not an integer at character 1"),
    ("f(1)", "'f(1)' is not an integer at character 1"),
    ("1;2", "'1;2' is not an integer at character 1"),
    ("1, True", "'True' is a boolean at character 4"),
    ("False", "'False' is a boolean at character 1"),
    ("n", "'n' is a name, and names are not looked up at character 1"),
    ("2:len", "'len' is a name, and names are not looked up at character 3"),
    ("None:2", "'None' is a name, and names are not looked up at character 1"),
    ("Ellipsis", "'Ellipsis' is a name, and names are not looked up at character 1"),
    ("jax.newaxis", "'jax.newaxis' is a name, and names are not looked up at"),
    ("(1, 2)", "'(1' is nested at character 1"),
    ("'a'", "\"'a'\" is nested at character 1"),
    ("[[0, 2]]", "'[' is not part of an index at character 2"),
    ("a[1][2]", "']' is not part of an index at character 4"),
    ("1, {2}", "'{' is not part of an index at character 4"),
    ("1]", "']' is not part of an index at character 2"),
    ("foo[1", "'[' is not closed at character 4"),
    ("[", "'[' is not closed at character 1"),
    ("[1] + 1", "'[' is not closed at character 1"),
    ("1:2:3:4", "'1:2:3:4' has 3 colons at character 1"),
    ("..., 0, ...", "a second ellipsis at character 9"),
    ("1, ::0", "the step is 0 at character 6"),
    ("1:2:-0", "the step is 0 at character 5"),
    ("9" * 641, "a number of 641 digits at character 1"),
    ("-" + "9" * 5000, "a number of 5000 digits at character 1"),
]


@pytest.mark.parametrize(("text", "what"), REFUSED, ids=[t[:20] for t, _ in REFUSED])
def test_other_texts_are_refused_in_one_line(text: str, what: str) -> None:
    with pytest.raises(ShapeError) as caught:
        parse_index(text)
    message = str(caught.value)
    assert what in message
    assert "allowed are integers, ranges" in message
    assert "\n" not in message
    assert len(message) < 300


def test_the_whole_text_of_a_refusal() -> None:
    with pytest.raises(ShapeError) as caught:
        parse_index("foo[1, 2.5]")
    assert str(caught.value) == (
        "index 'foo[1, 2.5]': '2.5' is not an integer at character 8; allowed are "
        "integers, ranges such as 2:4 or ::-1, None and one ellipsis (...). "
        "Write whole decimal numbers, as in 2 or -3."
    )


def test_text_that_is_no_text() -> None:
    with pytest.raises(DTypeError, match="index text is a bytes; give a str"):
        parse_index(b"1")  # type: ignore[arg-type]


def test_hostile_texts_are_refused_at_once() -> None:
    for text in ("1," * 10**6, " " * 10**6, "a" * 10**6, "a." * 10**5, "[" * 10**6):
        with pytest.raises(ShapeError) as caught:
            parse_index(text)
        assert len(str(caught.value)) < 400
    with pytest.raises(ShapeError, match="1000000 entries; at most 129 are allowed"):
        as_entries((None,) * 10**6)


def test_what_the_grammar_takes_python_takes_with_the_same_meaning() -> None:
    rng = random.Random(20)
    words = ["1", "-2", "+30", "0", ":", ":", "...", "None", ",", ",", " ", "", "::"]
    accepted = refused = 0
    for _ in range(20_000):
        text = "".join(rng.choices(words, k=rng.randint(1, 9)))
        try:
            entries = parse_index(text)
        except RestrideError:
            refused += 1
            continue
        accepted += 1
        assert eval(f"S[{text}]", {"S": S}) == entries
    assert (accepted, refused) == (4856, 15144)


class Two(IntEnum):
    value_of_two = 2


INTS = [2, Two.value_of_two, np.int8(2), np.uint64(2), np.array(2)]


@pytest.mark.parametrize("two", INTS, ids=[type(v).__name__ for v in INTS])
def test_any_integer_becomes_a_plain_int(two: Any) -> None:
    position, cut = as_entries((two, slice(two, None, two)))
    assert position == 2
    assert cut == slice(2, None, 2)
    assert isinstance(cut, slice)
    assert [type(v) for v in (position, cut.start, cut.step)] == [int, int, int]


FANCY = [
    [0, 2],
    [],
    True,
    np.True_,
    np.array([1]),
    np.array(True),
    np.array([True]),
    (0, 1),
]


@pytest.mark.parametrize("value", FANCY, ids=repr)
def test_fancy_indexing_is_refused(value: Any) -> None:
    with pytest.raises(UnsupportedError) as caught:
        as_entries((..., value))
    assert str(caught.value) == (
        f'index[1] is a {type(value).__name__}: "fancy" indexing, by lists, arrays, '
        "booleans or nested tuples, is not supported; allowed are integers, ranges "
        "such as 2:4 or ::-1, None and one ellipsis (...). Take the parts one by one."
    )
    with pytest.raises(UnsupportedError, match=r"index\[0\]\.stop is a"):
        as_entries((slice(0, value),))


@pytest.mark.parametrize(
    "value", [1.0, np.float32(1), 1j, "1", b"1", object, {}, range(3)], ids=repr
)
def test_other_objects_are_refused(value: Any) -> None:
    with pytest.raises(DTypeError, match=r"index\[1\] = .*; allowed are integers"):
        as_entries((0, value))
    with pytest.raises(DTypeError, match=r"index\.start = .*; allowed are integers"):
        as_entries(slice(value, None))


def test_the_whole_text_for_another_object() -> None:
    with pytest.raises(DTypeError) as caught:
        as_entries(1.5)
    assert str(caught.value) == (
        "index = 1.5 is a float; allowed are integers, ranges such as 2:4 or ::-1, "
        "None and one ellipsis (...). Convert it to an int."
    )


def test_objects_that_no_array_accepts() -> None:
    with pytest.raises(ShapeError) as caught:
        as_entries((0, slice(None, None, 0)))
    assert str(caught.value) == (
        "index[1] has step 0; any other step is allowed. Use 1 or -1."
    )
    with pytest.raises(ShapeError) as caught:
        as_entries((..., 0, ...))
    assert str(caught.value) == (
        "index has 2 ellipses; at most one is allowed. "
        "Write ':' for a single whole axis."
    )


def test_single_objects_and_tuples_of_one_are_the_same() -> None:
    for entry in (3, slice(1, 2), None, ...):
        assert as_entries(entry) == as_entries((entry,)) == (entry,)
    assert as_entries(()) == ()


WRITTEN = [
    (S[1, 2:4, None, ..., :-3:-1, :], "[1, 2:4, None, ..., :-3:-1, :]"),
    (S[0:0:1, ::-1, 5:], "[0:0, ::-1, 5:]"),
    (-7, "[-7]"),
    ((), "[()]"),
    ("foo[ 1,2 ]", "[1, 2]"),
    (-(2**70), f"[{-(2**70)}]"),
    (10**640 - 1, f"[{'9' * 640}]"),
]


@pytest.mark.parametrize(("index", "text"), WRITTEN, ids=[t[:30] for _, t in WRITTEN])
def test_entries_are_written_as_text(index: Any, text: str) -> None:
    assert format_index(index) == text
    assert format_index(parse_index(text)) == text


def test_text_and_entries_go_round() -> None:
    rng = random.Random(7)
    numbers = [0, 1, -1, 5, -6, 2**31, 2**63, -(2**70)]
    for _ in range(5_000):
        entries: list[Any] = []
        for _ in range(rng.randint(0, 6)):
            bounds = [rng.choice([None, *numbers]) for _ in range(3)]
            cut = slice(bounds[0], bounds[1], bounds[2] or None)
            entries.append(rng.choice([None, rng.choice(numbers), cut]))
        if rng.random() < 0.5:
            entries.insert(rng.randint(0, len(entries)), Ellipsis)
        back = parse_index(format_index(tuple(entries)))
        assert back == tuple(
            slice(e.start, e.stop, None if e.step == 1 else e.step)
            if isinstance(e, slice)
            else e
            for e in entries
        )


def test_numbers_too_long_to_write() -> None:
    with pytest.raises(UnsupportedError) as caught:
        format_index((0, slice(10**5000, None)))
    assert str(caught.value) == (
        "index: about 2**16609 has no text; at most 640 digits are written. "
        "Use a smaller number."
    )
    assert shown(-(10**5000)) == "about -2**16609"
    assert shown(2**64) == str(2**64)


def test_notation_needs_no_numpy() -> None:
    code = (
        "import sys, restride.layout.notation, restride.ops.strided_slice; "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
