"""Holds verify() against test vectors: python3 check_vectors.py ../../../libs/client/vectors/webhooks.json"""

import json
import sys

from receiver import VerificationError, verify

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)["vectors"]

failed = 0
for vector in vectors:
    try:
        payload = verify(
            vector["body"].encode(),
            vector["headers"],
            vector["secret"],
            vector["tolerance_seconds"],
            vector["now"],
        )
        found = payload["id"]
    except (VerificationError, ValueError):
        found = None
    if found != vector.get("id"):
        failed += 1
        print(f"wrong: {vector['name']}")
print(f"{len(vectors) - failed} of {len(vectors)} vectors hold")
sys.exit(1 if failed or not vectors else 0)
