"""What the SDK raises. The classes of the error codes are in errors.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Issue:
    """One thing to correct in a request."""

    path: str
    """The field, for example ``tags.0``, or the parameter."""
    message: str


class WaymarkError(Exception):
    """The base of everything that the SDK raises."""


class NetworkError(WaymarkError):
    """No answer came. A change may have been made."""


class ApiError(WaymarkError):
    """The server refused the request or failed."""

    code: str
    """The error code of the answer, for example ``NOT_FOUND``."""
    status: int
    message: str
    issues: list[Issue]
    """What to correct, for VALIDATION_ERROR."""
    reason: str | None
    """Which of the reasons of the code it is; some codes have reasons."""
    required_scope: str | None
    request_id: str | None
    """Identifies the request for the operator of the installation."""
    docs: str | None
    """The address of the page that explains the code."""
    retry_after_seconds: int | None
    """After how many seconds a repetition may succeed, when the answer says so."""

    def __init__(
        self, status: int, body: Mapping[str, Any], *, request_id: str | None, docs: str | None, retry_after: int | None
    ) -> None:
        self.status = status
        self.code = _text(body, "error") or f"HTTP_{status}"
        self.message = _text(body, "message") or f"The answer was {status}."
        self.reason = _text(body, "reason")
        self.required_scope = _text(body, "requiredScope")
        self.request_id = request_id
        self.docs = docs
        self.retry_after_seconds = retry_after
        issues = body.get("issues")
        self.issues = [
            Issue(str(issue.get("path", "")), str(issue.get("message", "")))
            for issue in (issues if isinstance(issues, list) else [])
            if isinstance(issue, dict)
        ]
        shown = f" (request {request_id})" if request_id else ""
        super().__init__(f"{self.code}: {self.message}{shown}" + (f" See {docs}" if docs else ""))

    def __reduce__(self) -> str | tuple[Any, ...]:
        return _restore, (type(self), self.__dict__, self.args)


def _restore(kind: type[ApiError], fields: dict[str, Any], args: tuple[Any, ...]) -> ApiError:
    error = kind.__new__(kind)
    error.__dict__.update(fields)
    error.args = args
    return error


def _text(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    return value if isinstance(value, str) else None
