"""Sends requests and waits for the answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import httpx

from ._pages import Pages, P, T
from ._policy import M, Settings, failure_of, is_success, network_error, read, seconds_to_wait
from ._request import Request


class Transport:
    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self._settings = settings
        self._http = http

    def call(self, model: type[M], request: Request) -> M:
        return read(model, self._answer(request))

    def call_without_result(self, request: Request) -> None:
        self._answer(request)

    def location(self, request: Request) -> str:
        return str(self._answer(request).headers.get("Location", ""))

    def pages(self, page: type[P], item: type[T], list_field: str, request: Request) -> Pages[P, T]:
        return Pages(lambda one: self.call(page, one), list_field, request)

    def stream(self, request: Request) -> Iterator[bytes]:
        with closing(self._answer(request, stream=True)) as response:
            try:
                yield from response.iter_bytes()
            except httpx.RequestError as error:
                raise network_error(error, self._settings) from error

    def _answer(self, request: Request, *, stream: bool = False) -> httpx.Response:
        repeated = 0
        while True:
            answer: httpx.Response | httpx.RequestError
            try:
                answer = self._http.send(self._settings.sent(self._http, request), stream=stream)
                if is_success(answer):
                    return answer
                answer.read()
            except httpx.RequestError as error:
                answer = error
            wait = seconds_to_wait(request, repeated, self._settings.max_retries, answer)
            if wait is None:
                raise failure_of(answer, self._settings)
            time.sleep(wait)
            repeated += 1
