"""Web pages that stand alone."""

from __future__ import annotations

from html import escape

__all__ = ["html_page"]

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
</head>
<body>
{body}
</body>
</html>
"""


def html_page(title: str, body: str) -> str:
    """A whole page, readable in light and dark; `body` is HTML, `title` is text.

    >>> "<title>Boards &amp; more</title>" in html_page("Boards & more", "<p>Hello</p>")
    True
    """
    return _PAGE.format(title=escape(title), body=body)
