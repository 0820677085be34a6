"""The templates of the texts for readers: Markdown with the numbers left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2

FOLDER = Path(__file__).parent


class Verbatim(str):
    """Text that stands in no table, and is shown as it is."""

    __slots__ = ()


def shown(value: Any) -> Any:
    r"""Return a value as a text shows it: numbers with separators, nothing for None, no `|` that would end a cell.

    >>> print(shown(12345), shown(None), shown("a|b"), shown(True))
    12,345  a\|b True
    """
    if value is None:
        return ""
    if isinstance(value, Verbatim):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value).replace("|", "\\|")


def render_template(name: str, filters: Mapping[str, Callable[..., Any]] | None = None, **values: Any) -> str:
    """Return a template of this folder with its values.

    Args:
        name: file name of the template.
        filters: functions that the template names after a `|`.
        values: what the template names.

    Raises:
        jinja2.UndefinedError: the template names a value that is not there.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= filters or {}
    return environment.get_template(name).render(**values)
