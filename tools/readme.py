"""Make the README of a package index out of that of the repository, whose relative links lead nowhere there."""

from __future__ import annotations

import re

_IMAGE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)]+)\)")


def for_an_index(text: str, source: str | None = None) -> str:
    """Return the page with absolute links if the address of the source is given, otherwise with the links' text only.

    Relative images are left out, and so is what follows a clone: who reads the page on an index has none.
    """
    text = _IMAGE.sub("", text)
    if source is None:
        return _LINK.sub(r"\1", text)
    return _LINK.sub(rf"[\1]({source.rstrip('/')}/blob/main/\2)", text)
