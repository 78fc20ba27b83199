"""Keeps a copy of a workspace's decisions in SQLite.

It may be killed at any moment: when it starts again, it continues from the position in its database.
WAYMARK_URL and WAYMARK_API_KEY name the workspace, MIRROR_FILE the database.
"""

import json
import os
import sqlite3

from waymark_sdk import Waymark, errors

waymark = Waymark()
database = sqlite3.connect(os.environ.get("MIRROR_FILE", "mirror.db"))
database.executescript(
    """
    CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, version INTEGER NOT NULL, data TEXT);
    CREATE TABLE IF NOT EXISTS position (name TEXT PRIMARY KEY, number INTEGER NOT NULL);
    """
)


def put(id, version, data):
    """Stores a version, unless a newer one is there. A deletion stays as a row without data: an event from
    before it may come after it."""
    database.execute(
        "INSERT INTO decisions VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
        " SET version = excluded.version, data = excluded.data WHERE excluded.version > version",
        (id, version, data and json.dumps(data)),
    )


def put_position(number):
    database.execute("INSERT OR REPLACE INTO position VALUES ('after', ?)", (number,))
    return number


def begin():
    """Reads everything. The position is from before, so that events from meanwhile come again."""
    newest = waymark.event_log.list(limit=1).newest
    with database:
        database.execute("DELETE FROM decisions")
        for decision in waymark.decisions.list(limit=500):
            put(decision.id, decision.version, decision.model_dump(mode="json"))
        for deletion in waymark.decisions.deleted(limit=500):
            put(deletion.id, deletion.version, None)
        return put_position(newest)


class DataGone(Exception):
    """An event has lost its data, because a person in it was erased."""


def apply(event):
    if event.type == "decision.deleted":
        put(event.subject.id, event.subject.version, None)
        return
    if event.type in ("decision.created", "decision.updated"):
        decisions = event.data and [event.data]
    elif event.type == "decision.outcome_logged":
        decisions = event.data and [event.data["decision"]]
    elif event.type == "decisions.imported":
        decisions = event.data and event.data["decisions"]
    else:
        return
    if decisions is None:
        raise DataGone
    for decision in decisions:
        put(decision["id"], decision["version"], decision)


def follow(after):
    """Stores the changes of a page and the position after it together."""
    page = waymark.event_log.list(after=after, limit=100, wait=10)
    with database:
        for event in page.data:
            apply(event)
        return put_position(page.next_after)


row = database.execute("SELECT number FROM position WHERE name = 'after'").fetchone()
after = row[0] if row else begin()
while True:
    try:
        after = follow(after)
    except (errors.PositionGoneError, DataGone):
        after = begin()
