"""Verifies the requests of a file of webhook vectors."""

from __future__ import annotations

import json
from typing import Any

from waymark_sdk import WebhookVerificationError, verify_webhook


def check_vectors(path: str) -> str | None:
    """Returns what differs, or None."""
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)["vectors"]
    wrong = [
        f"{vector['name']}: {found}, not {expected}"
        for vector in vectors
        if (found := verified(vector)) != (expected := vector["fault"] or vector["id"])
    ]
    return "; ".join(wrong) or (None if vectors else "there are no vectors")


def verified(vector: dict[str, Any]) -> str:
    try:
        webhook = verify_webhook(
            vector["body"].encode(),
            vector["headers"],
            vector["secret"],
            tolerance_seconds=vector["tolerance_seconds"],
            now=vector["now"],
        )
    except WebhookVerificationError as error:
        return error.fault
    except ValueError:
        return "unusable_secret"
    return webhook.id
