"""What the transports share: settings, the reading of answers, and when to repeat a request."""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urljoin

import httpx
from pydantic import BaseModel

from ._contract import BASE_PATH
from ._errors import ApiError, NetworkError, WaymarkError
from ._request import Request
from ._version import __version__
from .errors import ERRORS

M = TypeVar("M", bound=BaseModel)

LONGEST_WAIT_SECONDS = 60
"""A longer wait is left to the caller."""
FIRST_WAIT_SECONDS = 0.5
JITTER = 0.25
"""Clients that were refused together do not come back together."""


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str = field(repr=False)
    max_retries: int

    def sent(self, http: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
        return http.build_request(
            request.method,
            self.base_url + request.path,
            params=request.sent_query(),
            headers={
                "User-Agent": f"waymark-python/{__version__}",
                "Authorization": f"Bearer {self.api_key}",
                **request.sent_headers(),
            },
            json=request.sent_body(),
            content=request.content,
            timeout=httpx.USE_CLIENT_DEFAULT if request.timeout is None else request.timeout,
        )


def settings_of(base_url: str | None, api_key: str | None, max_retries: int) -> Settings:
    """Returns the settings as given, or else from WAYMARK_URL and WAYMARK_API_KEY."""
    address = base_url or os.environ.get("WAYMARK_URL")
    if not address:
        raise WaymarkError("no address is given: pass base_url, or set WAYMARK_URL")
    key = (api_key or os.environ.get("WAYMARK_API_KEY") or "").strip()
    if not key:
        raise WaymarkError("no API key is given: pass api_key, or set WAYMARK_API_KEY")
    # httpx would quote the key when it refuses the header.
    if not all("!" <= character <= "~" for character in key):
        raise WaymarkError("the API key has characters that cannot be sent")
    url = httpx.URL(address)
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise WaymarkError("the address of the server is not valid: give one such as https://waymark.example.com")
    plain = str(url.copy_with(query=None, fragment=None)).rstrip("/")
    return Settings(plain if url.path.strip("/") else plain + BASE_PATH, key, max_retries)


def seconds_to_wait(
    request: Request, repeated: int, max_retries: int, answer: httpx.Response | httpx.RequestError
) -> float | None:
    """Returns how long to wait before the request is repeated; None if it is not.

    A request that was refused before it did something is repeated. After an outage or without an answer, only
    what can be done twice is; and once after a 500.
    """
    if repeated >= max_retries or request.is_upload:
        return None
    wait: float = FIRST_WAIT_SECONDS * 2**repeated
    if isinstance(answer, httpx.Response):
        asked = retry_after_of(answer)
        if not _is_temporary(request, answer.status_code, asked, repeated):
            return None
        wait = wait if asked is None else asked
    elif not request.can_repeat:
        return None
    if wait > LONGEST_WAIT_SECONDS:
        return None
    return wait * (1 + JITTER * random.random())


def _is_temporary(request: Request, status: int, retry_after: int | None, repeated: int) -> bool:
    # A CONFLICT with Retry-After: another request with the same Idempotency-Key is in progress.
    if status == 409:
        return retry_after is not None
    if status == 500:
        return request.can_repeat and repeated == 0
    return status in (408, 429) or (status == 503 and request.can_repeat)


def retry_after_of(response: httpx.Response) -> int | None:
    text = response.headers.get("Retry-After", "")
    return int(text) if text.isascii() and text.isdigit() else None


def is_success(response: httpx.Response) -> bool:
    return response.is_success or response.has_redirect_location


def failure_of(answer: httpx.Response | httpx.RequestError, settings: Settings) -> WaymarkError:
    """Returns the error of an answer that was read, or of none."""
    if not isinstance(answer, httpx.Response):
        return network_error(answer, settings)
    try:
        body = json.loads(answer.content)
    except ValueError:
        body = None
    fields: dict[str, Any] = body if isinstance(body, dict) else {}
    docs = fields.get("docs")
    kind = ERRORS.get(str(fields.get("error")), ApiError)
    return kind(
        answer.status_code,
        fields,
        request_id=answer.headers.get("X-Request-Id"),
        docs=urljoin(str(answer.url), docs) if isinstance(docs, str) else None,
        retry_after=retry_after_of(answer),
    )


def network_error(error: httpx.RequestError, settings: Settings) -> NetworkError:
    return NetworkError(f"no answer came from {settings.base_url}: {error or type(error).__name__}")


def read(model: type[M], response: httpx.Response) -> M:
    """Returns the record of an answer. Fields and values that this version does not know are kept."""
    try:
        return model.model_validate_json(response.content)
    except ValueError as error:
        raise WaymarkError(f"the answer of {response.url.path} is not that of this API: {error}") from None
