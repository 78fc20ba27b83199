"""Lists that come in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, TypeVar, cast

from pydantic import BaseModel

from ._request import Request

P = TypeVar("P", bound=BaseModel)
T = TypeVar("T", bound=BaseModel)


class Pages(Generic[P, T]):
    """The items of a list over all pages: ``for decision in client.decisions.list()``.

    Nothing is read before the iteration begins. ``limit`` is the size of a page.
    """

    def __init__(self, read: Callable[[Request], P], list_field: str, request: Request) -> None:
        self._read = read
        self._list_field = list_field
        self._request = request

    def page(self) -> P:
        """Reads one page: the first, or that of the cursor."""
        return self._read(self._request)

    def pages(self) -> Iterator[P]:
        """Reads page after page."""
        page = self.page()
        yield page
        while (cursor := _next_cursor(page)) is not None:
            page = self._read(self._request.with_query("cursor", cursor))
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from cast("list[T]", getattr(page, self._list_field))


class AsyncPages(Generic[P, T]):
    """The items of a list over all pages: ``async for decision in client.decisions.list()``.

    Nothing is read before the iteration begins. ``limit`` is the size of a page.
    """

    def __init__(self, read: Callable[[Request], Awaitable[P]], list_field: str, request: Request) -> None:
        self._read = read
        self._list_field = list_field
        self._request = request

    async def page(self) -> P:
        """Reads one page: the first, or that of the cursor."""
        return await self._read(self._request)

    async def pages(self) -> AsyncIterator[P]:
        """Reads page after page."""
        page = await self.page()
        yield page
        while (cursor := _next_cursor(page)) is not None:
            page = await self._read(self._request.with_query("cursor", cursor))
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in cast("list[T]", getattr(page, self._list_field)):
                yield item


def _next_cursor(page: BaseModel) -> str | None:
    return cast("str | None", getattr(page, "next_cursor"))
