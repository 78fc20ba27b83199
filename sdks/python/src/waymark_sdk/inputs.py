"""The objects in requests. Made by npm run generate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import Required, TypedDict


class ViewQueryInput(TypedDict, total=False):
    """The filters and the order of a list"""
    text: str
    """Part of the title, in upper or lower case"""
    status: Sequence[Literal["proposed", "accepted", "rejected", "archived"] | str]
    """Any of these"""
    outcome: Sequence[Literal["pending", "success", "partial", "failure", "abandoned"] | str]
    """Any of these"""
    tags: Sequence[str]
    """At least one of these"""
    decision_type: str
    """The decision_type of the decisions"""
    author: Sequence[str]
    """The created_by of the decisions: any of these"""
    overdue: bool
    """Whether the outcome is overdue"""
    expected_from: str
    """Expected on or after this day, in the time zone of the reader"""
    expected_to: str
    """Expected before this day, in the time zone of the reader"""
    sort: Literal["created_at", "-created_at", "updated_at", "-updated_at", "quality_score", "-quality_score", "expected_by", "-expected_by", "title", "-title"] | str
    """The order by a field; - before it for descending"""
    board: bool
    """Whether the console shows a board by status"""
    action: str
    """What was done; only in views of the audit log"""
    resource_type: str
    """What kind of record it was done to; only in views of the audit log"""
    resource_id: str
    """The id of the record; only in views of the audit log"""
    actor: str
    """The id of a key, a service account or a user; only in views of the audit log"""
    ip: str
    """The address of the client; only in views of the audit log"""
    created_from: str
    """Created on or after this day, in the time zone of the reader"""
    created_to: str
    """Created before this day, in the time zone of the reader"""


class DecisionCreateOptionsConsidered(TypedDict, total=False):
    title: Required[str]
    """What the option is"""
    pros: Sequence[str]
    """What speaks for it. By default []."""
    cons: Sequence[str]
    """What speaks against it. By default []."""


class ApprovalRuleInput(TypedDict, total=False):
    """A rule of approvals; absent fields get their defaults"""
    decision_type: str | None
    """The type of the decisions; null: all whose type has no rule of its own. By default null."""
    approvals: Required[int]
    """How many a decision needs"""
    role: Literal["member", "admin", "owner"] | str
    """The least role of who approves. By default \"member\"."""
    members: Sequence[str]
    """Only these users may approve; empty for all. By default []."""
    mode: Literal["advisory", "enforced"] | str
    """enforced: a decision without the approvals cannot become accepted. By default \"advisory\"."""
    author_counts: bool
    """Whether who last changed the text counts. By default false."""


class GraphNode(TypedDict, total=False):
    """A node of a graph that replaces another one"""
    id: Required[str]
    """The id of an existing node of the workflow, or of a new one"""
    type: Required[Literal["task", "doc", "table", "thread", "decision", "automation", "pulse"] | str]
    """What kind of step it is; it never changes"""
    title: Required[str]
    """What the node is called"""
    data: Mapping[str, Any]
    """Fields of your own; a change replaces the whole object"""
    position_x: Required[int]
    """Its place on the canvas, from left to right"""
    position_y: Required[int]
    """Its place on the canvas, from top to bottom"""
    status: Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str
    """How far the work on it is. By default \"backlog\"."""
    assigned_to: str | None
    """The user id or name of who does it. By default null."""
    external_id: str | None
    """Its id in another system, which no other node of the workspace has"""


class GraphEdge(TypedDict, total=False):
    """An edge that joins the same two nodes as before keeps its id"""
    source_id: Required[str]
    """The id of the node at its start"""
    target_id: Required[str]
    """The id of the node at its end"""
    condition: Mapping[str, Any] | None
    """When it is followed, in fields of your own"""
