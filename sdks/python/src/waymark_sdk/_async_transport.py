"""Sends requests with asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx

from ._pages import AsyncPages, P, T
from ._policy import M, Settings, failure_of, is_success, network_error, read, seconds_to_wait
from ._request import Request


class AsyncTransport:
    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self._settings = settings
        self._http = http

    async def call(self, model: type[M], request: Request) -> M:
        return read(model, await self._answer(request))

    async def call_without_result(self, request: Request) -> None:
        await self._answer(request)

    async def location(self, request: Request) -> str:
        return str((await self._answer(request)).headers.get("Location", ""))

    def pages(self, page: type[P], item: type[T], list_field: str, request: Request) -> AsyncPages[P, T]:
        return AsyncPages(lambda one: self.call(page, one), list_field, request)

    async def stream(self, request: Request) -> AsyncIterator[bytes]:
        response = await self._answer(request, stream=True)
        try:
            async for chunk in response.aiter_bytes():
                yield chunk
        except httpx.RequestError as error:
            raise network_error(error, self._settings) from error
        finally:
            await response.aclose()

    async def _answer(self, request: Request, *, stream: bool = False) -> httpx.Response:
        repeated = 0
        while True:
            answer: httpx.Response | httpx.RequestError
            try:
                answer = await self._http.send(self._settings.sent(self._http, request), stream=stream)
                if is_success(answer):
                    return answer
                await answer.aread()
            except httpx.RequestError as error:
                answer = error
            wait = seconds_to_wait(request, repeated, self._settings.max_retries, answer)
            if wait is None:
                raise failure_of(answer, self._settings)
            await asyncio.sleep(wait)
            repeated += 1
