"""Calls the operation of a step with the SDK."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any

from pydantic import BaseModel

from waymark_sdk import AsyncPages, AsyncWaymark, Pages, Waymark, WaymarkError
from waymark_sdk._contract import OPERATIONS

Caller = Callable[[dict[str, Any], int], Any]
"""Returns the result of a step as JSON, or the error. The number is that of the step."""


# httpx reads the certificates of the system for each client, which takes long.
client_of = cache(Waymark)
async_client_of = cache(AsyncWaymark)


def caller(step: dict[str, Any], number: int) -> Any:
    client = client_of(base_url(step, number), key_of(step))
    assert key_of(step) not in repr(client)
    try:
        result = method_of(client, step)(*step.get("path", {}).values(), **arguments(step))
        if isinstance(result, Pages):
            result = list(result) if step.get("items") else result.page()
        elif not isinstance(result, (BaseModel, str)) and result is not None:
            result = b"".join(result)
        return plain(result)
    except WaymarkError as error:
        return error


def async_caller(loop: asyncio.AbstractEventLoop) -> Caller:
    async def call(step: dict[str, Any], number: int) -> Any:
        client = async_client_of(base_url(step, number), key_of(step))
        assert key_of(step) not in repr(client)
        try:
            result = method_of(client, step)(*step.get("path", {}).values(), **arguments(step))
            if isinstance(result, AsyncPages):
                result = [item async for item in result] if step.get("items") else await result.page()
            elif isinstance(result, AsyncIterator):
                result = b"".join([chunk async for chunk in result])
            else:
                result = await result
            return plain(result)
        except WaymarkError as error:
            return error

    return lambda step, number: loop.run_until_complete(call(step, number))


def base_url(step: dict[str, Any], number: int) -> str:
    if "answers" in step:
        return f"{os.environ['WAYMARK_PROXY_URL']}/{number}/{','.join(step['answers'])}/v1"
    return os.environ["WAYMARK_URL"]


def key_of(step: dict[str, Any]) -> str:
    return str(step.get("apiKey", os.environ["WAYMARK_API_KEY"]))


def method_of(client: Waymark | AsyncWaymark, step: dict[str, Any]) -> Callable[..., Any]:
    group, method = OPERATIONS[step["operation"]]
    found = getattr(getattr(client, group) if group else client, method)
    assert callable(found)
    return found  # type: ignore[no-any-return]


def arguments(step: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments with the names of Python; a keyword of the language has an underscore."""
    given = {**step.get("body", {}), **step.get("query", {})}
    named = {snake_case(name): value for name, value in given.items()}
    if "from" in named:
        named["from_"] = named.pop("from")
    others = {
        "idempotencyKey": "idempotency_key",
        "ifMatch": "if_match",
        "contentType": "content_type",
        "file": "file",
    }
    return {**named, **{argument: step[name] for name, argument in others.items() if name in step}}


def snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def plain(result: Any) -> Any:
    if isinstance(result, BaseModel):
        return result.model_dump(mode="json", by_alias=True)
    if isinstance(result, list):
        return [plain(each) for each in result]
    return result.decode("utf-8", "replace") if isinstance(result, bytes) else result
