"""A receiver of webhooks: standard library only. Needs WEBHOOK_SECRET; listens on PORT (4000)."""

import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class VerificationError(Exception):
    """The request is no delivery of ours."""


SECRET_PREFIX = "whsec_"
SECRET_BYTES_MIN = 24


def key_of(secret):
    """The bytes in an endpoint's secret. Raises ValueError: an empty or short one would be one that anyone can sign with."""
    encoded = secret[len(SECRET_PREFIX) :] if secret.startswith(SECRET_PREFIX) else ""
    key = base64.b64decode(encoded, validate=True)
    if len(key) < SECRET_BYTES_MIN:
        raise ValueError("the secret of an endpoint is whsec_ and base64")
    return key


def verify(raw_body, headers, secret, tolerance_seconds=300, now=None):
    """Gives the payload in `raw_body` (bytes), or raises VerificationError unless its signature holds. `headers` maps names to text."""
    key = key_of(secret)
    named = {name.lower(): value for name, value in headers.items()}
    now = time.time() if now is None else now
    candidates = []

    timestamp, given = named.get("x-waymark-timestamp"), named.get("x-waymark-signature")
    if timestamp is not None and given is not None:
        signed = timestamp.encode() + b"." + raw_body
        expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        candidates.append((timestamp, [given], expected))

    # Covers the delivery's id too: where it came it decides.
    message_id, timestamp = named.get("webhook-id"), named.get("webhook-timestamp")
    given = named.get("webhook-signature")
    if message_id is not None and timestamp is not None and given is not None:
        signed = message_id.encode() + b"." + timestamp.encode() + b"." + raw_body
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        candidates.append((timestamp, given.split(" "), expected))

    if not candidates:
        raise VerificationError("no signature came")
    for timestamp, _, _ in candidates:
        if not re.fullmatch(r"[0-9]{1,15}", timestamp):
            raise VerificationError("the timestamp is not in Unix seconds")
        if abs(int(now) - int(timestamp)) > tolerance_seconds:
            raise VerificationError("the timestamp is too far from now")
    _, given, expected = candidates[-1]
    if not any([hmac.compare_digest(one.encode(), expected.encode()) for one in given]):
        raise VerificationError("the signature does not hold")
    try:
        payload = json.loads(raw_body)
        return {name: payload[name] for name in ("id", "type", "created_at", "workspace_id", "data")}
    except (ValueError, TypeError, KeyError) as error:
        raise VerificationError("the body is no event") from error


SECRET = os.environ.get("WEBHOOK_SECRET", "")
# In a service of more than one process: a unique index in its database.
seen = set()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        # The raw bytes: a body that was parsed and written again does not have the signature of the one that was sent.
        raw_body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            payload = verify(raw_body, dict(self.headers.items()), SECRET)
        except VerificationError as error:
            return self.answer(401, str(error))
        self.answer(204)
        # X-Waymark-Delivery is the same each time too, but nothing signs it.
        if payload["id"] not in seen:
            seen.add(payload["id"])
            print(payload["type"], payload["data"], flush=True)

    def answer(self, status, text=""):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        """Says nothing about each request."""


if __name__ == "__main__":
    key_of(SECRET)
    port = int(os.environ.get("PORT", "4000"))
    print(f"Waiting for webhooks on http://127.0.0.1:{port}/", flush=True)
    ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
