"""Bytes of board files as text: a byte order mark says how to read them."""

from __future__ import annotations

__all__ = ["MARK", "decode_marked", "text_of"]

MARK = "\ufeff"
"""The byte order mark, as a character."""

_ENCODINGS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
"""Marks and what they say; that of UTF-32 begins like that of UTF-16."""


def decode_marked(data: bytes) -> tuple[str, str] | None:
    """Text and encoding of bytes that begin with a byte order mark, or else `None`.

    The mark stays in the text, so that the text encoded again gives the same bytes.

    >>> decode_marked("\\ufeffŁódź".encode("utf-16-le"))
    ('\\ufeffŁódź', 'utf-16-le')
    >>> decode_marked(b"Lodz") is None
    True
    """
    for mark, encoding in _ENCODINGS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), encoding
            except UnicodeDecodeError:
                continue
    return None


def text_of(data: bytes | str, *encodings: str) -> str:
    """Text without its byte order mark; without a mark, the first of `encodings` that fits.

    >>> text_of(b"\\xff\\xfeA\\0"), text_of(b"\\xe9", "utf-8", "latin-1")
    ('A', 'é')
    """
    if isinstance(data, str):
        return data.removeprefix(MARK)
    marked = decode_marked(data)
    if marked is not None:
        return marked[0].removeprefix(MARK)
    for encoding in encodings[:-1]:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode(encodings[-1], "replace")
