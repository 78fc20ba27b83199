"""Waymark for Python: decisions, workflows, threads, search, export, audit log and webhooks."""

from . import errors, inputs, models
from ._client import AsyncWaymark, Waymark
from ._errors import ApiError, Issue, NetworkError, WaymarkError
from ._pages import AsyncPages, Pages
from ._request import OMITTED, Omitted
from ._version import __version__
from ._webhooks import VerifiedWebhook, WebhookFault, WebhookVerificationError, verify_webhook

__all__ = [
    "OMITTED",
    "ApiError",
    "AsyncPages",
    "AsyncWaymark",
    "Issue",
    "NetworkError",
    "Omitted",
    "Pages",
    "VerifiedWebhook",
    "Waymark",
    "WaymarkError",
    "WebhookFault",
    "WebhookVerificationError",
    "__version__",
    "errors",
    "inputs",
    "models",
    "verify_webhook",
]
