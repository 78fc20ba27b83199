"""Compares what came of a step with what must come."""

from __future__ import annotations

import traceback
from datetime import datetime
from typing import Any

from waymark_sdk import ApiError, NetworkError, WaymarkError
from waymark_sdk.errors import ERRORS


def difference_of(outcome: Any, expected: dict[str, Any], api_key: str) -> str | None:
    """Returns what differs from the expectation, or None."""
    if isinstance(outcome, WaymarkError):
        return error_difference(outcome, expected.get("error"), api_key)
    if "error" in expected:
        return f"the call succeeded: {outcome}"
    if "nothing" in expected:
        return None if outcome is None else f"there is a result: {outcome}"
    if "text" in expected:
        return None if expected["text"] in outcome else str(outcome)[:500]
    return value_difference(outcome, expected["result"], "") if "result" in expected else None


def error_difference(error: WaymarkError, expected: dict[str, Any] | None, api_key: str) -> str | None:
    shown = "".join(traceback.format_exception(error)) + repr(error)
    if expected is None:
        return shown
    if api_key in shown:
        return "the error shows the API key"
    if "network" in expected:
        return None if isinstance(error, NetworkError) else f"an answer came: {shown}"
    if not isinstance(error, ApiError):
        return shown
    if type(error) is not ERRORS.get(error.code, ApiError):
        return f"the class of {error.code} is {type(error).__name__}"
    paths = sorted(issue.path for issue in error.issues)
    if "issues" in expected and sorted(expected["issues"]) != paths:
        return f"the issues are {paths}"
    docs = expected.get("docs", "")
    if docs and not (error.docs and error.docs.startswith("http") and error.docs.endswith(docs)):
        return f"the docs are {error.docs}"
    actual = {
        "status": error.status,
        "code": error.code,
        "reason": error.reason,
        "retryAfterSeconds": error.retry_after_seconds,
    }
    return value_difference(actual, {name: value for name, value in expected.items() if name in actual}, "")


def value_difference(actual: Any, expected: Any, path: str) -> str | None:
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return f"{path} is {actual}"
        return first(value_difference(actual[i], each, f"{path}.{i}") for i, each in enumerate(expected))
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return f"{path} is {actual}"
        return first(value_difference(actual.get(name), each, f"{path}.{name}") for name, each in expected.items())
    if actual == expected and isinstance(actual, bool) == isinstance(expected, bool):
        return None
    return None if same_moment(actual, expected) else f"{path} is {actual!r}, not {expected!r}"


def same_moment(one: Any, other: Any) -> bool:
    try:
        return datetime.fromisoformat(one.replace("Z", "+00:00")) == datetime.fromisoformat(other.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return False


def first(differences: Any) -> str | None:
    return next((each for each in differences if each is not None), None)
