r"""Regular expressions: the syntax of OCaml's Str, in which `\(`, `\)` and `\|` are operators, turned into RE2."""

from __future__ import annotations

import re

from exports.ask.patterns.faults import Place, RequestError
from exports.ask.patterns.syntax import Expression

LITERAL = re.compile(r"[(){}|]")
OPERATORS = {"(": "(?:", ")": ")", "|": "|", "b": r"\b"}


def from_str(source: str, place: Place) -> Expression:
    r"""Return an expression written as `re"..."`.

    >>> from_str(r"ἐπε\(ί\|ιδή\)", Place(1, 1)).pattern
    'ἐπε(?:ί|ιδή)'
    >>> from_str("ἐπε(ί|ιδή)", Place(1, 1)).pattern
    'ἐπε\\(ί\\|ιδή\\)'

    Raises:
        RequestError: a reference back to a group, which the engine cannot match in bounded time, or a fault of syntax.
    """
    parts: list[str] = []
    has_bare_operators = False
    at = 0
    while at < len(source):
        sign = source[at]
        if sign == "\\":
            following = source[at + 1 : at + 2]
            if not following:
                raise RequestError("an expression ends with a backslash: write \\\\ for the sign itself", place)
            if following.isdigit():
                raise RequestError(f"\\{following} refers back to a group, which is not supported", place)
            parts.append(OPERATORS.get(following, re.escape(following)))
            at += 2
        elif sign == "[":
            at, bracket = _bracket(source, at, place)
            parts.append(bracket)
        elif LITERAL.match(sign):
            has_bare_operators = has_bare_operators or sign in "()|"
            parts.append("\\" + sign)
            at += 1
        else:
            parts.append(sign)
            at += 1
    return _checked(Expression(source, "".join(parts), place, has_bare_operators=has_bare_operators))


def _bracket(source: str, at: int, place: Place) -> tuple[int, str]:
    """Return where a set of signs ends and the same set for RE2; a backslash is a sign like others in it."""
    end = at + 1
    negation = source[end : end + 1] == "^"
    end += negation
    start = end
    if source[end : end + 1] == "]":
        end += 1
    while end < len(source) and source[end] != "]":
        end += 1
    if end == len(source):
        raise RequestError("a set of signs begins with [ and does not end: write ] after it", place)
    inside = "".join("\\" + sign if sign in "\\[]^" else sign for sign in source[start:end])
    return end + 1, f"[{'^' if negation else ''}{inside}]"


def from_slashes(source: str, flags: str, place: Place) -> Expression:
    """Return an expression written as `/.../` or `/.../i`, in RE2 syntax already."""
    return _checked(Expression(source, source, place, is_folded="i" in flags))


def _checked(expression: Expression) -> Expression:
    """Return the expression when its syntax is right, as far as that is known without the engine."""
    try:
        re.compile(re.sub(r"\\p\{\^?\w+\}|\\[pP]\w|\\z", "x", expression.pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise RequestError(f"no regular expression: {error}", expression.place) from error
    return expression
