"""Verification of webhook deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._errors import WaymarkError

WebhookFault = Literal["missing_headers", "invalid_timestamp", "stale_timestamp", "wrong_signature", "invalid_body"]

SECRET_PREFIX = "whsec_"
SECRET_BYTES_MIN = 24
TOLERANCE_SECONDS = 300


class WebhookVerificationError(WaymarkError):
    """A request is not a valid delivery."""

    fault: WebhookFault

    def __init__(self, fault: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


@dataclass(frozen=True)
class VerifiedWebhook:
    """A delivery with a valid signature."""

    id: str
    """Signed, and the same for every attempt and replay to an endpoint: use it to drop duplicates."""
    delivery_id: str | None
    """The id to look the delivery up by; None when no signature of the request covers it."""
    event: str
    """For example ``decision.created``."""
    payload: dict[str, Any]
    """The parsed body: id, type, created_at, workspace_id, data."""


@dataclass(frozen=True)
class _Signature:
    timestamp: str
    holds: bool


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, Any],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    header_prefix: str = "X-Waymark-",
    now: float | None = None,
) -> VerifiedWebhook:
    """Verifies a webhook delivery and returns it parsed.

    ``body`` is the body exactly as it arrived; ``secret`` is the endpoint's ``whsec_…``, or several while you move
    from one to another. Raises WebhookVerificationError, and ValueError without a usable secret.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    given = {str(name).lower(): _text(value) for name, value in headers.items()}
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(_is_usable(one) for one in secrets):
        raise ValueError("verify_webhook needs the signing secret of the endpoint, whsec_…")
    standard = _standard_signature(given, raw, secrets)
    service = _service_signature(given, header_prefix.lower(), raw, secrets)
    # The standard signature decides when it came, because it also covers the id.
    decisive = standard or service
    if decisive is None:
        raise WebhookVerificationError(
            "missing_headers", f"Neither {header_prefix}Signature nor webhook-signature came."
        )
    for signature in (service, standard):
        if signature is not None:
            _check_timestamp(signature.timestamp, time.time() if now is None else now, tolerance_seconds)
    if not decisive.holds:
        raise WebhookVerificationError(
            "wrong_signature", "The signature was not made with this secret over this body."
        )
    payload = _payload(raw)
    return VerifiedWebhook(
        id=str(payload.get("id")),
        delivery_id=given.get("webhook-id") if standard else None,
        event=str(payload.get("type")),
        payload=payload,
    )


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _key_of(secret: str) -> bytes:
    try:
        return base64.b64decode(secret[len(SECRET_PREFIX) :])
    except binascii.Error:
        return b""


def _is_usable(secret: str) -> bool:
    """Whether a secret is ours: anyone could sign with an empty or malformed one."""
    return secret.startswith(SECRET_PREFIX) and len(_key_of(secret)) >= SECRET_BYTES_MIN


def _check_timestamp(text: str, now: float, tolerance_seconds: int) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise WebhookVerificationError("invalid_timestamp", "The timestamp is not in Unix seconds.")
    if abs(int(now) - int(text)) > tolerance_seconds:
        raise WebhookVerificationError(
            "stale_timestamp", f"The timestamp is over {tolerance_seconds} s away from now."
        )


def _service_signature(
    headers: Mapping[str, str], prefix: str, body: bytes, secrets: Sequence[str]
) -> _Signature | None:
    """HMAC-SHA256 over ``<timestamp>.<body>`` with the whole secret, hex."""
    timestamp, given = headers.get(f"{prefix}timestamp"), headers.get(f"{prefix}signature")
    if timestamp is None or given is None:
        return None
    macs = [_mac(secret.encode(), timestamp, body).hex() for secret in secrets]
    # Compares with every secret, so that the time does not depend on which one matches.
    return _Signature(timestamp, any([_is_equal(given, f"sha256={mac}") for mac in macs]))


def _standard_signature(headers: Mapping[str, str], body: bytes, secrets: Sequence[str]) -> _Signature | None:
    """Standard Webhooks: HMAC-SHA256 over ``<id>.<timestamp>.<body>`` with the decoded secret, base64."""
    id_, timestamp, given = (headers.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if id_ is None or timestamp is None or given is None:
        return None
    macs = [base64.b64encode(_mac(_key_of(secret), f"{id_}.{timestamp}", body)).decode() for secret in secrets]
    return _Signature(timestamp, any([_is_equal(one, f"v1,{mac}") for mac in macs for one in given.split(" ")]))


def _mac(key: bytes, before: str, body: bytes) -> bytes:
    return hmac.new(key, before.encode("utf-8", "replace") + b"." + body, hashlib.sha256).digest()


def _is_equal(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def _payload(body: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        payload = None
    if isinstance(payload, dict):
        return payload
    raise WebhookVerificationError("invalid_body", "The signature is valid, but the body is not a JSON object.")
