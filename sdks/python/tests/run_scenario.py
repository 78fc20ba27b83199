"""Runs a scenario with the SDK: sdks/README.md. With --async, it uses AsyncWaymark."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Callable
from typing import Any

from expectation import difference_of
from steps import Caller, async_caller, caller
from vectors import check_vectors

from waymark_sdk import WaymarkError
from waymark_sdk._contract import OPERATIONS

EVENTUALLY_SECONDS = 20

variables: dict[str, Any] = {}


def fill(value: Any) -> Any:
    """Replaces ``${name}`` in the strings of a value."""
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+)}", value)
        if whole:
            return variables[whole[1]]
        return re.sub(r"\$\{(\w+)}", lambda found: str(variables[found[1]]), value)
    if isinstance(value, list):
        return [fill(each) for each in value]
    if isinstance(value, dict):
        return {name: fill(each) for name, each in value.items()}
    return value


def read(result: Any, path: str) -> Any:
    for name in path.split(".") if path else []:
        result = result[int(name)] if isinstance(result, list) else result[name]
    return result


def attempt(step: dict[str, Any], number: int, call: Caller) -> str | None:
    """Does a step once. Returns what differs from the expectation, or None."""
    filled = fill({**step, "save": None})
    outcome = call(filled, number)
    difference = difference_of(outcome, filled.get("expect", {}), filled.get("apiKey", os.environ["WAYMARK_API_KEY"]))
    if difference is None and not isinstance(outcome, WaymarkError):
        variables.update({name: read(outcome, path) for name, path in step.get("save", {}).items()})
    return difference


def run(step: dict[str, Any], number: int, call: Caller) -> str | None:
    if "webhooks" in step:
        return check_vectors(os.environ["WAYMARK_WEBHOOK_VECTORS"])
    deadline = time.monotonic() + (EVENTUALLY_SECONDS if step.get("eventually") else 0)
    for n in range(step.get("times", 1)):
        variables["n"] = n + 1
        while (difference := attempt(step, number, call)) is not None:
            if time.monotonic() >= deadline:
                return difference
            time.sleep(0.1)
    return None


def without_exception(do: Callable[[], str | None]) -> str | None:
    try:
        return do()
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


def main() -> int:
    call = async_caller(asyncio.new_event_loop()) if "--async" in sys.argv else caller
    with open(os.environ["SCENARIO"], encoding="utf-8") as file:
        steps = json.load(file)["steps"]
    failed = False
    for number, step in enumerate(steps):
        error = without_exception(lambda: run(step, number, call))
        failed = failed or error is not None
        print(json.dumps({"step": step["name"], "ok": error is None, "error": error}), flush=True)
    print(json.dumps({"operations": list(OPERATIONS)}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
