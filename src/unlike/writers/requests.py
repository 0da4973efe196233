"""Requests as people send them: lines of curl, raw HTTP, Python code with httpx."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from unlike.errors import ScopeError
from unlike.request import Request
from unlike.suite import Case
from unlike.writers.envelope import Envelope, InputCases, Medium, Page

CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
PLAIN_WORD = re.compile(r"[A-Za-z0-9_@%+=:,./-]+", re.ASCII)


def curl(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield one command of curl for each request, after a comment with its label."""
    del medium
    contents = _contents(envelope)
    yield Page(f"{contents.suites[0].name}.sh", (_with_label("# ", case, curl_line) for case in _cases(contents)))


def http(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield each request as it goes over the wire, after a line that separates it from the one before."""
    del medium
    contents = _contents(envelope)
    yield Page(f"{contents.suites[0].name}.http", (_with_label("### ", case, raw_http) for case in _cases(contents)))


def httpx(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield Python code that sends each request by httpx."""
    del medium
    contents = _contents(envelope)

    def pieces() -> Iterator[str]:
        yield "import httpx\n\n\ndef send_all(client: httpx.Client):\n"
        yield '    """Send every request, and yield the responses."""\n'
        for case in _cases(contents):
            yield _with_label("    # ", case, httpx_call)

    yield Page(f"{contents.suites[0].name}.py", pieces())


def _contents(envelope: Envelope) -> InputCases:
    assert isinstance(envelope.contents, InputCases)
    return envelope.contents


def _cases(contents: InputCases) -> Iterator[tuple[Case, Request, str | None]]:
    for suite in contents.suites:
        for case in suite:
            if case.request is None:
                raise ScopeError(f"{suite.name}: {case.value!r:.100} cannot be sent; write values: --format jsonl")
            yield case, case.request, contents.url


def _with_label(mark: str, each: tuple[Case, Request, str | None], write: object) -> str:
    case, request, base = each
    assert callable(write)
    label = "".join(char if char.isprintable() else repr(char)[1:-1] for char in case.label)
    return f"{mark}{label}\n{write(request, base)}\n"


# -- one request -------------------------------------------------------------------------------------------------------


def curl_line(request: Request, base: str | None = None) -> str:
    """Return the command of a shell that sends a request by curl."""
    url = request.url(base)
    words = ["curl", "--globoff"] if set(url) & set("[]{}") else ["curl"]
    words += ["--head"] if request.method == "HEAD" else ["-X", _word(request.method)]
    words.append(_word(url))
    for name, value in request.all_headers:
        words += ["-H", _word(f"{name}: {value}" if value else f"{name};")]
    if request.body is None:
        return " ".join(words)
    if request.content_type is None:
        words += ["-H", "Content-Type:"]  # curl would say that it is a form
    try:
        text = request.body.decode()
    except UnicodeDecodeError:
        text = None
    if text is not None and not CONTROLS.search(text):
        return " ".join([*words, "--data-raw", _word(text)])
    return f"printf %b {_word(_in_octal(request.body))} | {' '.join([*words, '--data-binary', '@-'])}"


def _word(text: str) -> str:
    """Return a text as one word of a shell."""
    return text if PLAIN_WORD.fullmatch(text) else "'" + text.replace("'", "'\\''") + "'"


def _in_octal(body: bytes) -> str:
    """Return bytes as `printf %b` of any shell writes them."""
    return "".join(chr(each) if 32 <= each < 127 and each != ord("\\") else f"\\0{each:03o}" for each in body)


def raw_http(request: Request, base: str | None = None) -> str:
    """Return a request as it goes over the wire, with the headers that every client adds."""
    parts = urlsplit(request.url(base))
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    lines = [f"{request.method} {target or '/'} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" if value else f"{name}:" for name, value in request.all_headers]
    if request.body is not None:
        lines.append(f"Content-Length: {len(request.body)}")
    return "\r\n".join([*lines, "", (request.body or b"").decode("utf-8", "surrogateescape")])


def httpx_call(request: Request, base: str | None = None) -> str:
    """Return the code that sends a request by a client of httpx."""
    lines = ["    yield client.request(", f"        {request.method!r},", f"        {request.url(base)!r},"]
    if request.all_headers:
        lines.append("        headers=[")
        lines += [f"            ({name!r}, {value!r})," for name, value in request.all_headers]
        lines.append("        ],")
    if request.body is not None:
        lines.append(f"        content={request.body!r},")
    return "\n".join([*lines, "    )"])
