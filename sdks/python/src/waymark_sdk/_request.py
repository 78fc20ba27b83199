"""A request of an operation, before it is sent."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import IO, Any, Final
from urllib.parse import quote

from ._contract import etag_of


class Omitted(Enum):
    """The type of a field that a request leaves out. ``None`` is JSON's null."""

    OMITTED = "omitted"

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED: Final = Omitted.OMITTED

Content = bytes | str | IO[bytes] | Iterable[bytes] | AsyncIterable[bytes]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    content: Content | None = None
    headers: Mapping[str, str | None] = field(default_factory=dict)
    timeout: float | None = None
    """Seconds to wait for each part of an answer; None for those of the client."""

    def with_query(self, name: str, value: str) -> Request:
        return replace(self, query={**self.query, name: value})

    def sent_query(self) -> dict[str, str]:
        return {name: _query_text(value) for name, value in self.query.items() if value is not None}

    def sent_body(self) -> dict[str, Any] | None:
        if self.body is None:
            return None
        return {name: value for name, value in self.body.items() if value is not OMITTED}

    def sent_headers(self) -> dict[str, str]:
        return {name: value for name, value in self.headers.items() if value is not None}

    @property
    def is_upload(self) -> bool:
        return self.content is not None and not isinstance(self.content, (bytes, str))

    @property
    def can_repeat(self) -> bool:
        """Whether it may be sent twice, even if the first one has been carried out."""
        return self.method == "GET" or self.headers.get("Idempotency-Key") is not None


def segment(value: str) -> str:
    """Returns a part of a path. One that would lead to another operation is refused."""
    if value in ("", ".", ".."):
        raise ValueError(f"an id is missing: {value!r}")
    return quote(value, safe="")


def new_key(given: str | None) -> str:
    return given if given is not None else str(uuid.uuid4())


def etag(version: str | int | None) -> str | None:
    """Returns the ETag of a version, or an ETag itself."""
    return etag_of(version) if isinstance(version, int) else version


def _query_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)
