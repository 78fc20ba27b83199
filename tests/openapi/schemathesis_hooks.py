"""Valid input is accepted, or refused for a reason that a JSON Schema cannot state."""

import re

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

# Each names what the schema would have to compare with.
EXPLAINED = re.compile(
    "|".join(
        [
            # the server's secret: cursors are signed
            "is not a cursor of",
            # another field of the request
            r"^(operations\.\d+\.body\.)?title: is required; send title or question",
            "in an invitation without an e-mail address",
            "differs between query and body",
            "with different values; send one of them",
            "the number of operations in the body",
            "needs operations of one service",
            "is also the id of an earlier node",
            "is not a node of this graph",
            "is the source itself",
            # the user's e-mail address and name, and the 10,000 most common passwords
            "must have at least 5 different characters",
            "characters besides your e-mail address and name",
            "is a common password",
            # the server's key, which encrypts a set-up
            "^enrolment: is not valid, or took too long",
            # the user's password, and whether there is one
            "^currentPassword: ",
            # the user's workspaces
            "is required, because you are not a member of exactly one workspace",
            # the time of the request
            "must be in the future",
            # the zone of a time
            "must be within the years 0000 to 9999 in UTC",
            # the bytes of a whole decision
            "makes a decision of",
            # records, which may be gone
            "is not a workflow of this workspace",
            "is not a node of this workflow",
            "is not a decision of this workspace",
            "is not a message of this thread",
            "is not a service account of this workspace",
            "is not a view of this list",
            # the members of a workspace
            "is not a member of th(is|e) workspace",
            "is not a member who is at least",
            "names whom to ask",
            "no member that the rule names may approve",
            # the list of a view, and whether it is shared
            "is not a filter of this list",
            "is not for a shared view",
            # the scopes of a key, and whose it is
            "is for a key of your own with the scope write",
            # another field of the verdict or of the review, and another rule
            "is required for an objection",
            "is required with supersede, and not allowed",
            "must not have two rules for one decision type",
            "must not need more approvals than members are named",
            "can only be read, because",
            "of a new decision cannot be archived",
            "is not the workflow of this node",
            "of this node is",
            "is the decision itself",
            # the programs that have registered, and the address of the installation
            "^clientId: names no program",
            "^redirectUri: is not an address that the program has registered",
            "^resource: is not the MCP server here",
            # Schemathesis also sends 0, which the pattern of If-Match does not match
            "^If-Match: must be an ETag with its quotes",
            # the time zones that there are
            "must be the name of a time zone",
            # free-form objects, down to their tenth level
            r"\b(data|condition)\b.*: must not (have keys with NUL|contain NUL|nest deeper|have numbers beyond)",
            r"\b(data|condition)\b.*: (must be at most 64 KiB of JSON|is not allowed as a key)",
            # the events that there are
            "the number of the newest event",
            # the URL's host and port (docs/operating/configuration.md, WEBHOOK_PORTS)
            "must be an https URL",
            "must begin with https://",
            "must be a public address",
            "must use one of the ports",
        ]
    )
)
# A node that is not there yet needs more than one that is: whether it is, no schema states.
EXPLAINED_OF_PATH = {
    "/nodes/by-external-id/{externalId}": re.compile(r"^(type|title|positionX|positionY): is required")
}
# An Idempotency-Key of an earlier request, an If-Match of an earlier version, a missing one, and a position that is not kept.
EXPLAINED_STATUSES = (422, 412, 428, 410)


def is_explained(response, case):
    if response.status_code in EXPLAINED_STATUSES:
        return True
    if response.status_code != 400:
        return False
    issues = response.json().get("issues") or []
    texts = [f"{issue['path']}: {issue['message']}" for issue in issues]
    of_path = EXPLAINED_OF_PATH.get(case.path, EXPLAINED)
    return bool(texts) and all(EXPLAINED.search(text) or of_path.search(text) for text in texts)


@schemathesis.check
def valid_input_is_accepted(ctx, response, case):
    if not is_explained(response, case):
        positive_data_acceptance(ctx, response, case)
