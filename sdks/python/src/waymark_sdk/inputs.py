"""The objects in requests. Made by npm run generate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import Required, TypedDict


class ViewQueryInput(TypedDict, total=False):
    """The filters and the order of a list"""
    text: str
    status: Sequence[Literal["proposed", "accepted", "rejected", "archived"] | str]
    outcome: Sequence[Literal["pending", "success", "partial", "failure", "abandoned"] | str]
    tags: Sequence[str]
    decision_type: str
    author: Sequence[str]
    overdue: bool
    expected_from: str
    """Expected on or after this day, in the time zone of the reader"""
    expected_to: str
    """Expected before this day, in the time zone of the reader"""
    sort: Literal["created_at", "-created_at", "updated_at", "-updated_at", "quality_score", "-quality_score", "expected_by", "-expected_by", "title", "-title"] | str
    board: bool
    """Whether the console shows a board by status"""
    action: str
    """Only in views of the audit log"""
    resource_type: str
    """Only in views of the audit log"""
    resource_id: str
    """Only in views of the audit log"""
    actor: str
    """Only in views of the audit log"""
    ip: str
    """Only in views of the audit log"""
    created_from: str
    """Created on or after this day, in the time zone of the reader"""
    created_to: str
    """Created before this day, in the time zone of the reader"""


class DecisionCreateOptionsConsidered(TypedDict, total=False):
    title: Required[str]
    pros: Sequence[str]
    """By default []."""
    cons: Sequence[str]
    """By default []."""


class ApprovalRuleInput(TypedDict, total=False):
    """A rule of approvals; absent fields get their defaults"""
    decision_type: str | None
    """Of which decisions; null for those whose type has no rule of its own. By default null."""
    approvals: Required[int]
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
    title: Required[str]
    data: Mapping[str, Any]
    position_x: Required[int]
    position_y: Required[int]
    status: Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str
    """By default \"backlog\"."""
    assigned_to: str | None
    """By default null."""
    external_id: str | None
    """Its id in another system, which no other node of the workspace has"""


class GraphEdge(TypedDict, total=False):
    """An edge that joins the same two nodes as before keeps its id"""
    source_id: Required[str]
    target_id: Required[str]
    condition: Mapping[str, Any] | None
