"""The clients."""

from __future__ import annotations

from types import TracebackType

import httpx

from ._async_transport import AsyncTransport
from ._policy import settings_of
from ._transport import Transport
from .async_resources import AsyncResources
from .resources import Resources

MAX_RETRIES = 2
TIMEOUT_SECONDS = 60.0


class Waymark(Resources):
    """A client of the API: ``Waymark("https://waymark.example.com", api_key)``.

    Without arguments, address and key come from WAYMARK_URL and WAYMARK_API_KEY. ``max_retries`` is how often a
    request is repeated. ``http_client`` replaces httpx's client, for a proxy or certificates; close it yourself.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float | httpx.Timeout | None = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = settings_of(base_url, api_key, max_retries)
        self._base_url = settings.base_url
        self._owns_http = http_client is None
        self._http = http_client if http_client is not None else httpx.Client(timeout=timeout)
        super().__init__(Transport(settings, self._http))

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Waymark:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Waymark({self._base_url!r})"


class AsyncWaymark(AsyncResources):
    """A client of the API for asyncio: ``AsyncWaymark("https://waymark.example.com", api_key)``.

    The arguments are those of ``Waymark``.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float | httpx.Timeout | None = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = settings_of(base_url, api_key, max_retries)
        self._base_url = settings.base_url
        self._owns_http = http_client is None
        self._http = http_client if http_client is not None else httpx.AsyncClient(timeout=timeout)
        super().__init__(AsyncTransport(settings, self._http))

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncWaymark:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncWaymark({self._base_url!r})"
