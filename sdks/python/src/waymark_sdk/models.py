"""The records of the API. Made by npm run generate."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer


def _as_sent(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


Time = Annotated[datetime, PlainSerializer(_as_sent, when_used="json")]
"""A time. JSON of a record has it as the API sends it."""


class Record(BaseModel):
    """A record. Fields that this version does not know are kept. Errors do not show values."""

    model_config = ConfigDict(extra="allow", frozen=True, populate_by_name=True, protected_namespaces=(), defer_build=True, hide_input_in_errors=True)


class Whoami(Record):
    """The answer of whoami: The owner of the credentials; needs no scope"""

    auth_type: Literal["session", "apiKey"] | str = Field(alias="authType")
    """With what the request was authenticated"""
    user_id: str = Field(alias="userId")
    """The user, the service account of the key, or the creator of a key without one"""
    workspace_id: str | None = Field(default=None, alias="workspaceId")
    """The workspace of the key; of a session, the one in the query or the only one of the user"""
    key_id: str | None = Field(default=None, alias="keyId")
    """Null for a session, as keyPrefix and keyName"""
    key_prefix: str | None = Field(default=None, alias="keyPrefix")
    """How the key begins"""
    key_name: str | None = Field(default=None, alias="keyName")
    """What the key is for"""
    scopes: list[Literal["read", "write"] | str]
    """What the caller may do; write includes read"""
    settings_until: Time | None = Field(default=None, alias="settingsUntil")
    """Until when a key without a service account may change settings"""


class GetOpenApiResult(Record):
    openapi: str


class Changelog(Record):
    """The answer of getChangelog: What changed in the public interface"""

    version: str
    entries: list[ChangelogEntries]
    deprecated: list[str]
    removed: list[str]


class ChangelogEntries(Record):
    date: str
    kind: Literal["added", "changed", "fixed"] | str
    text: str


class RateLimitUse(Record):
    """The answer of getRateLimits: The limits of a workspace and how much of them was used over the last
    hour
    """

    plan: Literal["free", "pro", "business", "enterprise"] | str
    window_seconds: int
    resets_at: Time
    """The end of the current window"""
    workspace: RateLimitUseWorkspace
    """All keys of the workspace together"""
    key: RateLimitUseKey | None = None
    """The key that keyId names"""
    session: RateLimitUseKey | None = None
    """The session’s own use, in all workspaces; null for a key"""


class RateLimitUseWorkspace(Record):
    """All keys of the workspace together"""

    read: RateLimitUseWorkspaceRead
    export: RateLimitUseWorkspaceRead
    mutation: RateLimitUseWorkspaceRead


class RateLimitUseWorkspaceRead(Record):
    limit: int
    """Requests per window"""
    used: int
    """Requests in the current window"""
    past: list[RateLimitUseWorkspaceReadPast]
    """Those of the last 60 windows that had a request, newest first; `at` is the start of each"""


class RateLimitUseWorkspaceReadPast(Record):
    at: Time
    """RFC 3339, UTC, milliseconds"""
    used: int


class RateLimitUseKey(Record):
    read: RateLimitUseWorkspaceRead
    export: RateLimitUseWorkspaceRead
    mutation: RateLimitUseWorkspaceRead


class ReportPresenceResult(Record):
    data: list[WorkflowViewer]


class WorkflowViewer(Record):
    """Somebody who looks at a workflow"""

    user_id: str
    name: str
    workflow_id: str
    node_id: str | None = None
    """The node that the person has selected"""
    tab: str
    left: bool
    """True only in the live stream, when the person has left"""


class SignedIn(Record):
    """The session itself travels in the cookie"""

    user: User
    has_password: bool
    """False for a user of single sign-on who has not set one"""
    second_factor: bool
    """Whether this session was opened with a second factor: a passkey, a code, or one that the identity
    provider states
    """
    workspaces: list[Workspace]


class User(Record):
    """A person with an account"""

    id: str
    email: str
    name: str
    language: Literal["en", "de"] | str
    """The language of mails to the user"""
    density: Literal["comfortable", "compact"] | str
    """How close together the rows of the console’s lists are"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    mail_refused_at: Time | None = None
    """When the mail server last refused a mail to the address for good; null after one was sent"""


class Workspace(Record):
    """The place of a team's records, with a plan and limits"""

    id: str
    name: str
    plan: Literal["free", "pro", "business", "enterprise"] | str
    require_second_factor: bool
    """Whether sessions without a second factor are refused"""
    quality_model: Literal["dq-1", "dq-2"] | str
    """Scores decisions that are created or changed; others keep their score"""
    hidden_forecasts: bool
    """Whether the forecasts of others are hidden until one has given one’s own or an outcome is logged"""
    role: Literal["viewer", "member", "admin", "owner"] | str
    """The caller’s role"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""


class PasskeyRequestOptions(Record):
    """The answer of startPasskeySignIn: Options for the browser, to sign in with a passkey"""

    options: dict[str, Any]
    """PublicKeyCredentialRequestOptionsJSON of WebAuthn, for
    parsePublicKeyCredentialRequestOptionsFromJSON() of the browser
    """


class SignInMethods(Record):
    """The answer of getSignInMethods: The ways to sign in, whether sign-up is possible, and who may change
    plans
    """

    sign_up: Literal["open", "invite", "closed"] | str
    password: bool
    oidc: SignInMethodsOidc | None = None
    """Single sign-on, which starts at /auth/oidc/start"""
    passkeys: bool
    """Whether browsers allow passkeys at the installation’s address: https at a name, or localhost"""
    plan_changes: Literal["owner", "operator"] | str
    """Who may change the plan of a workspace"""
    password_reset: Literal["mail", "operator"] | str
    """How to replace a forgotten password: by a mailed link (/auth/password/forgot), or by the operator"""


class SignInMethodsOidc(Record):
    name: str


class SignedInWithParts(Record):
    """The answer of getSelf: The signed-in user, with the workspaces of which the user is a member"""

    user: User
    has_password: bool
    """False for a user of single sign-on who has not set one"""
    second_factor: bool
    """Whether this session was opened with a second factor: a passkey, a code, or one that the identity
    provider states
    """
    workspaces: list[Workspace]
    included: SignedInWithPartsIncluded | None = None
    """The parts named by include"""


class SignedInWithPartsIncluded(Record):
    """The parts named by include"""

    sign_in_methods: SignInMethods | None = None
    sessions: list[Session] | None = None
    grants: list[Grant] | None = None
    passkeys: list[Passkey] | None = None
    totp: Totp | None = None


class Session(Record):
    """A browser in which the user is signed in"""

    id: str
    current: bool
    ip: str | None = None
    user_agent: str | None = None
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    last_seen_at: Time
    """RFC 3339, UTC, milliseconds"""
    expires_at: Time
    """RFC 3339, UTC, milliseconds"""


class Grant(Record):
    """The access of a program that a person has given it"""

    id: str
    workspace_id: str
    name: str
    client_id: str
    scopes: list[Literal["read", "write"] | str]
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    last_used_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    expires_at: Time | None = None
    """30 days after the program has renewed it last, at most 180 days after it was given"""


class Passkey(Record):
    """A passkey of the user (WebAuthn), without its key"""

    id: str
    name: str
    synced: bool
    """Whether the user’s other devices have it too"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    last_used_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""


class Totp(Record):
    """The answer of getTotp: Whether the user has an authenticator app, and how many recovery codes are
    left
    """

    added_at: Time | None = None
    """Null without an authenticator app"""
    recovery_codes_left: int


class ListSessionsResult(Record):
    data: list[Session]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class GrantRequest(Record):
    """A program that asks a person for access"""

    client_id: str
    name: str
    """What the program calls itself; nobody has checked it"""
    host: str
    """Where the browser returns to: a host, or the scheme of a program with its colon"""


class GrantCreated(Record):
    """Where the browser returns to"""

    redirect_to: str


class ListGrantsResult(Record):
    data: list[Grant]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class DeviceLogin(Record):
    """A command line that asks a person for an API key"""

    name: str
    """What the machine calls itself; nobody has checked it"""
    ip: str
    """The address from which it asked"""
    scopes: list[Literal["read", "write"] | str]
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    expires_at: Time
    """RFC 3339, UTC, milliseconds"""


class ApiKey(Record):
    """An API key without its plaintext"""

    id: str
    workspace_id: str
    name: str
    """What the key is for"""
    scopes: list[Literal["read", "write"] | str]
    """What the key may do"""
    expires_at: Time | None = None
    """Until when the key is valid; null for no end"""
    allowed_ips: list[str]
    """The addresses and CIDR blocks from which the key may be used; empty for all"""
    key_prefix: str
    service_account_id: str | None = None
    """Null for a key without a role"""
    settings_until: Time | None = None
    """Until when it may change settings, as an admin; null if it never may"""
    created_by: str
    """The user or the service account that created it"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    last_used_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    revoked_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    rotated_to: str | None = None
    """The key that replaces this one after a rotation"""


class ListPasskeysResult(Record):
    data: list[Passkey]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class PasskeyCreationOptions(Record):
    """The answer of startPasskey: Options for the browser, to create a passkey"""

    options: dict[str, Any]
    """PublicKeyCredentialCreationOptionsJSON of WebAuthn, for
    parsePublicKeyCredentialCreationOptionsFromJSON() of the browser
    """


class RecoveryCodes(Record):
    """Codes that replace the authenticator app, each once"""

    recovery_codes: list[str]
    """Each replaces a code of the app once; only this answer has them"""


class TotpEnrolment(Record):
    """The answer of startTotp: A new secret for an authenticator app (TOTP, RFC 6238); only this answer
    has it
    """

    secret: str
    """Base32, to type into the app"""
    uri: str
    """The secret for a QR code"""
    enrolment: str
    """To be returned with a code of the app, within ten minutes"""


class ListWorkspacesResult(Record):
    data: list[OwnWorkspace]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class OwnWorkspace(Record):
    """A workspace with the role of the user in it"""

    id: str
    name: str
    plan: Literal["free", "pro", "business", "enterprise"] | str
    require_second_factor: bool
    """Whether sessions without a second factor are refused"""
    quality_model: Literal["dq-1", "dq-2"] | str
    """Scores decisions that are created or changed; others keep their score"""
    hidden_forecasts: bool
    """Whether the forecasts of others are hidden until one has given one’s own or an outcome is logged"""
    role: Literal["viewer", "member", "admin", "owner"] | str
    """The caller’s role"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    member_id: str
    """The caller’s membership; deleting it leaves the workspace"""


class ListMembersResult(Record):
    data: list[Member]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Member(Record):
    """A person with a role in a workspace"""

    id: str
    workspace_id: str
    user_id: str
    email: str
    name: str
    role: Literal["viewer", "member", "admin", "owner"] | str
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    mail_refused_at: Time | None = None
    """When the mail server last refused a mail to the address for good; null after one was sent"""


class InvitationWithLink(Record):
    """An invitation with its link, which only this answer has"""

    id: str
    workspace_id: str
    email: str | None = None
    """Only this address may accept"""
    role: Literal["viewer", "member", "admin", "owner"] | str
    """The role that it gives: never above the inviter’s own; without an email, at most member"""
    invited_by: str
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    expires_at: Time
    """RFC 3339, UTC, milliseconds"""
    mail: Literal["waiting", "sent", "refused"] | str | None = None
    """Whether the link was mailed; refused for good by the mail server; null if it is not mailed"""
    url: str | None = Field(default=None, repr=False)
    """The link to send, in the first answer only"""


class ListPeopleResult(Record):
    data: list[Person]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Person(Record):
    """A member as everyone in the workspace sees them"""

    id: str
    """The id of the user"""
    name: str
    role: Literal["viewer", "member", "admin", "owner"] | str


class ListApiKeysResult(Record):
    data: list[ApiKey]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class ApiKeyWithSecret(Record):
    """An API key with its plaintext, which only this answer has"""

    id: str
    workspace_id: str
    name: str
    """What the key is for"""
    scopes: list[Literal["read", "write"] | str]
    """What the key may do"""
    expires_at: Time | None = None
    """Until when the key is valid; null for no end"""
    allowed_ips: list[str]
    """The addresses and CIDR blocks from which the key may be used; empty for all"""
    key_prefix: str
    service_account_id: str | None = None
    """Null for a key without a role"""
    settings_until: Time | None = None
    """Until when it may change settings, as an admin; null if it never may"""
    created_by: str
    """The user or the service account that created it"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    last_used_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    revoked_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    rotated_to: str | None = None
    """The key that replaces this one after a rotation"""
    key: str | None = Field(default=None, repr=False)
    """The plaintext, in the first answer only"""


class ListServiceAccountsResult(Record):
    data: list[ServiceAccount]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class ServiceAccount(Record):
    """A program with a role in a workspace; its API keys may do what the role may"""

    id: str
    """The userId of its keys in whoami"""
    workspace_id: str
    name: str
    """What the program is called; unique in the workspace"""
    role: Literal["viewer", "member", "admin"] | str
    """What its keys may do, within their scopes"""
    created_by: str
    """The user or the service account that created it"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""


class ListInvitationsResult(Record):
    data: list[Invitation]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Invitation(Record):
    """An invitation to a workspace, without its link"""

    id: str
    workspace_id: str
    email: str | None = None
    """Only this address may accept"""
    role: Literal["viewer", "member", "admin", "owner"] | str
    """The role that it gives: never above the inviter’s own; without an email, at most member"""
    invited_by: str
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    expires_at: Time
    """RFC 3339, UTC, milliseconds"""
    mail: Literal["waiting", "sent", "refused"] | str | None = None
    """Whether the link was mailed; refused for good by the mail server; null if it is not mailed"""


class SavedViews(Record):
    """The answer of listViews: Your views of a list and those that are shared, with how you have arranged
    the list
    """

    data: list[SavedView]
    """Those of the caller and the shared ones, by name"""
    settings: ListSettings


class SavedView(Record):
    """Filters, order and columns of a list, by name"""

    id: str
    workspace_id: str
    kind: Literal["decisions", "audit_log"] | str
    """The records of the list"""
    owner_id: str
    """The user who made it"""
    name: str
    """What the view is called"""
    query: ViewQuery
    """By default {}."""
    columns: list[Literal["status", "outcome", "quality", "expected", "author", "created", "changed"] | str]
    """Besides the title, in the order of the list; only that of decisions has a choice"""
    shared: bool
    """Whether everyone in the workspace sees it"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""


class ViewQuery(Record):
    """The filters and the order of a list"""

    text: str | None = None
    """Part of the title, in upper or lower case"""
    status: list[Literal["proposed", "accepted", "rejected", "archived"] | str] | None = None
    """Any of these"""
    outcome: list[Literal["pending", "success", "partial", "failure", "abandoned"] | str] | None = None
    """Any of these"""
    tags: list[str] | None = None
    """At least one of these"""
    decision_type: str | None = None
    """The decision_type of the decisions"""
    author: list[str] | None = None
    """The created_by of the decisions: any of these"""
    overdue: bool | None = None
    """Whether the outcome is overdue"""
    expected_from: str | None = None
    """Expected on or after this day, in the time zone of the reader"""
    expected_to: str | None = None
    """Expected before this day, in the time zone of the reader"""
    sort: Literal["created_at", "-created_at", "updated_at", "-updated_at", "quality_score", "-quality_score", "expected_by", "-expected_by", "title", "-title"] | str | None = None
    """The order by a field; - before it for descending"""
    board: bool | None = None
    """Whether the console shows a board by status"""
    action: str | None = None
    """What was done; only in views of the audit log"""
    resource_type: str | None = None
    """What kind of record it was done to; only in views of the audit log"""
    resource_id: str | None = None
    """The id of the record; only in views of the audit log"""
    actor: str | None = None
    """The id of a key, a service account or a user; only in views of the audit log"""
    ip: str | None = None
    """The address of the client; only in views of the audit log"""
    created_from: str | None = None
    """Created on or after this day, in the time zone of the reader"""
    created_to: str | None = None
    """Created before this day, in the time zone of the reader"""


class ListSettings(Record):
    """How a person has arranged a list of a workspace"""

    kind: Literal["decisions", "audit_log"] | str
    """The records of the list"""
    columns: list[Literal["status", "outcome", "quality", "expected", "author", "created", "changed"] | str]
    """Besides the title, in the order of the list; only that of decisions has a choice"""
    default_view_id: str | None = None
    """The view that the list opens with"""
    favourite_ids: list[str]
    """The ids of the views that stay beside the list"""


class InvitationPreview(Record):
    """The answer of previewInvitation: Show an invitation before it is accepted"""

    workspace_name: str
    invited_by: str
    """The inviter’s name"""
    email: str | None = None
    role: Literal["viewer", "member", "admin", "owner"] | str
    expires_at: Time
    """RFC 3339, UTC, milliseconds"""


class ListDecisionsResult(Record):
    decisions: list[Decision]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Decision(Record):
    """A decision with its latest outcome and its quality score"""

    id: str
    workspace_id: str
    title: str
    """What the decision is called; by default its question"""
    question: str | None = None
    """What is to be decided"""
    description: str
    """The situation in which it is decided"""
    status: Literal["proposed", "accepted", "rejected", "archived"] | str
    """proposed: still open; accepted: it holds; archived: it holds no longer"""
    resolution: str | None = None
    """What was decided"""
    rationale: str | None = None
    """Why this, and not another option"""
    options_considered: list[str | DecisionOptionsConsidered]
    """Texts, or objects with title, pros and cons"""
    criteria: list[str]
    """What the options are compared by"""
    decision_type: str | None = None
    """Its kind, in your own words; approval rules are by kind"""
    tags: list[str]
    """Words of your own to filter by"""
    expected_by: Time | None = None
    """When its outcome should be known; while none is logged, it is overdue from then on"""
    review_by: Time | None = None
    """When an accepted decision is to be reviewed"""
    review_every_months: int | None = None
    """Sets review_by when the decision is accepted, and again after each review"""
    decided_by: str | None = None
    """Who decided, as a text; deciders is a list"""
    deciders: list[str]
    """Who decide: each the user id of a member, or a name of somebody else"""
    consulted: list[str]
    """Whose opinions are sought: each the user id of a member, or a name of somebody else"""
    informed: list[str]
    """Who are kept up to date: each the user id of a member, or a name of somebody else"""
    outcome: Literal["pending", "success", "partial", "failure", "abandoned"] | str
    """How it turned out; pending until that is known"""
    outcome_notes: str | None = None
    """What happened, and what was learned"""
    outcome_confidence: int | float | None = None
    """How likely success is; a forecast if stated before the first outcome"""
    external_id: str | None = None
    """Its id in another system, which no other decision of the workspace has"""
    outcome_confidence_kind: Literal["forecast", "retrospective"] | str | None = None
    """forecast: stated before the first outcome and frozen by it; retrospective: stated with it"""
    supersedes: str | None = None
    """The decision that this one replaces"""
    relates_to: list[str]
    """Decisions of the same workspace; seen from both sides"""
    last_review: DecisionReview | None = None
    """The latest review; the history has the earlier ones"""
    quality_score: int | float
    """GET /decisions/{id}/quality explains it"""
    quality_model: Literal["dq-1", "dq-2"] | str
    """The model that scored it last"""
    version: int
    """Each change adds 1; the ETag has it"""
    created_by: str
    """Id of the user, the service account or the key that created it"""
    created_by_person: str | None = None
    """The person whose API key is the created_by; else null"""
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""


class DecisionOptionsConsidered(Record):
    title: str
    pros: list[str]
    cons: list[str]


class DecisionReview(Record):
    """A review of an accepted decision"""

    result: Literal["reaffirm", "change", "supersede"] | str
    note: str | None = None
    reviewer: Author
    reviewed_at: Time
    """RFC 3339, UTC, milliseconds"""


class Author(Record):
    """Who wrote something"""

    type: Literal["api_key", "service_account", "session", "service", "anonymous"] | str
    id: str | None = None
    """The id of the key, the service account or the user"""
    name: str | None = None


class DecisionFacets(Record):
    """The answer of getDecisionFacets: How many decisions match the filters, and the tags, types and
    authors to filter by
    """

    total: int
    """The decisions that match all filters"""
    tags: list[DecisionFacetsTags]
    types: list[DecisionFacetsTags]
    authors: list[DecisionFacetsAuthors]


class DecisionFacetsTags(Record):
    value: str
    count: int


class DecisionFacetsAuthors(Record):
    id: str
    """The created_by of the decisions"""
    name: str | None = None
    count: int


class ListDeletedDecisionsResult(Record):
    data: list[DeletedDecision]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class DeletedDecision(Record):
    """What remains of a deleted decision"""

    id: str
    version: int
    """The version of the deletion: higher than any that the decision had"""
    deleted_at: Time
    """RFC 3339, UTC, milliseconds"""


class ListTrashedDecisionsResult(Record):
    data: list[TrashedRecord]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class TrashedRecord(Record):
    """A deleted record that can be restored"""

    kind: Literal["decision", "workflow", "node", "message"] | str
    id: str
    title: str
    """Of a message the beginning of its content"""
    version: int
    """The version of the deletion; a restored record has the next one"""
    workflow_id: str | None = None
    """The workflow of a node; null for other records"""
    node_id: str | None = None
    """The node of a message; null for other records"""
    decision_id: str | None = None
    """The decision of a message; null for other records"""
    deleted_at: Time
    """RFC 3339, UTC, milliseconds"""
    deleted_by: Author
    purged_at: Time | None = None
    """When it is removed for good; null while an operator holds it"""


class DecisionWithParts(Record):
    """A decision, with the parts that the request includes"""

    id: str
    workspace_id: str
    title: str
    """What the decision is called; by default its question"""
    question: str | None = None
    """What is to be decided"""
    description: str
    """The situation in which it is decided"""
    status: Literal["proposed", "accepted", "rejected", "archived"] | str
    """proposed: still open; accepted: it holds; archived: it holds no longer"""
    resolution: str | None = None
    """What was decided"""
    rationale: str | None = None
    """Why this, and not another option"""
    options_considered: list[str | DecisionOptionsConsidered]
    """Texts, or objects with title, pros and cons"""
    criteria: list[str]
    """What the options are compared by"""
    decision_type: str | None = None
    """Its kind, in your own words; approval rules are by kind"""
    tags: list[str]
    """Words of your own to filter by"""
    expected_by: Time | None = None
    """When its outcome should be known; while none is logged, it is overdue from then on"""
    review_by: Time | None = None
    """When an accepted decision is to be reviewed"""
    review_every_months: int | None = None
    """Sets review_by when the decision is accepted, and again after each review"""
    decided_by: str | None = None
    """Who decided, as a text; deciders is a list"""
    deciders: list[str]
    """Who decide: each the user id of a member, or a name of somebody else"""
    consulted: list[str]
    """Whose opinions are sought: each the user id of a member, or a name of somebody else"""
    informed: list[str]
    """Who are kept up to date: each the user id of a member, or a name of somebody else"""
    outcome: Literal["pending", "success", "partial", "failure", "abandoned"] | str
    """How it turned out; pending until that is known"""
    outcome_notes: str | None = None
    """What happened, and what was learned"""
    outcome_confidence: int | float | None = None
    """How likely success is; a forecast if stated before the first outcome"""
    external_id: str | None = None
    """Its id in another system, which no other decision of the workspace has"""
    outcome_confidence_kind: Literal["forecast", "retrospective"] | str | None = None
    """forecast: stated before the first outcome and frozen by it; retrospective: stated with it"""
    supersedes: str | None = None
    """The decision that this one replaces"""
    relates_to: list[str]
    """Decisions of the same workspace; seen from both sides"""
    last_review: DecisionReview | None = None
    """The latest review; the history has the earlier ones"""
    quality_score: int | float
    """GET /decisions/{id}/quality explains it"""
    quality_model: Literal["dq-1", "dq-2"] | str
    """The model that scored it last"""
    version: int
    """Each change adds 1; the ETag has it"""
    created_by: str
    """Id of the user, the service account or the key that created it"""
    created_by_person: str | None = None
    """The person whose API key is the created_by; else null"""
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    included: DecisionWithPartsIncluded | None = None
    """The parts named by include, of lists the first 20"""


class DecisionWithPartsIncluded(Record):
    """The parts named by include, of lists the first 20"""

    quality: Quality | None = None
    outcomes: DecisionWithPartsIncludedOutcomes | None = None
    approvals: DecisionApprovals | None = None
    forecasts: DecisionForecasts | None = None
    history: DecisionWithPartsIncludedHistory | None = None
    links: DecisionLinks | None = None


class Quality(Record):
    """The quality score of a decision, and how each component adds to it"""

    model: Literal["dq-1", "dq-2"] | str
    score: int | float
    capped: bool
    """Limited to 50, because Frame or Reasoning is 0, there are fewer than two options, or, for dq-2,
    description and rationale have fewer than 30 different words
    """
    components: list[QualityComponents]


class QualityComponents(Record):
    name: Literal["frame", "alternatives", "information", "trade_offs", "reasoning", "commitment", "learnability"] | str
    points: int | float
    max: int | float
    raise_: list[QualityComponentsRaise] = Field(alias="raise")
    """Ways to raise the component, with the points that each adds"""


class QualityComponentsRaise(Record):
    points: int | float
    action: str


class DecisionWithPartsIncludedOutcomes(Record):
    data: list[Outcome]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Outcome(Record):
    """An outcome of a decision, as somebody logged it"""

    id: str
    workspace_id: str
    decision_id: str
    outcome: Literal["pending", "success", "partial", "failure", "abandoned"] | str
    notes: str | None = None
    confidence: int | float | None = None
    confidence_kind: Literal["forecast", "retrospective"] | str | None = None
    logged_by: str
    """Id of the user, or of the key, who logged it"""
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""
    logged_at: Time
    """RFC 3339, UTC, milliseconds"""


class DecisionApprovals(Record):
    """The answer of listDecisionApprovals: Who approved which text of a decision, objected or abstained,
    newest first, and whose approval is missing
    """

    data: list[DecisionApprovalsData]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""
    decision_version: int
    content_sha256: str
    """Of the present text"""
    rule: ApprovalRule | None = None
    """The rule of the workspace for this decision"""
    missing: DecisionApprovalsMissing | None = None
    """Null when nothing is missing"""
    requested_of: list[DecisionApprovalsMissingMembers]
    """Who was asked last"""
    requested_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""


class DecisionApprovalsData(Record):
    id: str
    workspace_id: str
    decision_id: str
    decision_version: int
    content_sha256: str
    verdict: Literal["approve", "object", "abstain"] | str
    reason: str | None = None
    approver: Author
    state: Literal["current", "replaced", "voided"] | str
    """replaced: by a later verdict of the same person; voided: by a change of the text"""
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    ended_at: Time | None = None
    """When it was replaced or voided"""
    counts: bool
    """Whether the rule counts it now; false without a rule"""
    difference: dict[str, DecisionApprovalsDataDifference] | None = None
    """Of a voided one: what of the text is different now; null if the history lacks that text"""


class DecisionApprovalsDataDifference(Record):
    before: Any
    after: Any


class ApprovalRule(Record):
    """How many approvals decisions of a type need, and of whom"""

    decision_type: str | None = None
    """The type of the decisions; null: all whose type has no rule of its own"""
    approvals: int
    """How many a decision needs"""
    role: Literal["member", "admin", "owner"] | str
    """The least role of who approves"""
    members: list[str]
    """Only these users may approve; empty for all"""
    mode: Literal["advisory", "enforced"] | str
    """enforced: a decision without the approvals cannot become accepted"""
    author_counts: bool
    """Whether who last changed the text counts"""


class DecisionApprovalsMissing(Record):
    approvals: int
    """How many are missing"""
    role: Literal["member", "admin", "owner"] | str
    members: list[DecisionApprovalsMissingMembers]
    """Who of the named members has not approved; empty if any member may"""


class DecisionApprovalsMissingMembers(Record):
    id: str
    name: str | None = None


class DecisionForecasts(Record):
    """The current forecasts of a decision, newest first"""

    data: list[Forecast]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""
    count: int
    """How many forecasters have given one"""
    hidden: bool
    """Whether the forecasts of others are left out until you have given one"""
    open: bool
    """False from the first outcome on"""
    mine: Forecast | None = None
    median: int | float | None = None
    extremized_mean: int | float | None = None
    """The mean log-odds times 1.5, as a probability: Satopää et al. (2014). Null below two forecasters"""


class Forecast(Record):
    """How likely somebody holds the success of a decision"""

    id: str
    workspace_id: str
    decision_id: str
    probability: int | float
    reason: str | None = None
    forecaster: Author
    """A user or a service account, also where a key has sent it"""
    state: Literal["current", "replaced"] | str
    """replaced: by a later forecast of the same forecaster"""
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    ended_at: Time | None = None
    """When it was replaced"""


class DecisionWithPartsIncludedHistory(Record):
    data: list[DecisionHistoryEntry]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class DecisionHistoryEntry(Record):
    """A version of a decision, with what changed"""

    version: int
    action: Literal["create", "update"] | str
    actor: DecisionHistoryEntryActor
    changes: dict[str, DecisionApprovalsDataDifference]
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""


class DecisionHistoryEntryActor(Record):
    type: str
    id: str | None = None
    name: str | None = None


class DecisionLinks(Record):
    """The answer of listDecisionLinks: Decisions that this one supersedes, is superseded by, or relates to"""

    data: list[DecisionLink]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""
    chain: list[DecisionChainEntry]
    """The decisions that led to this one and that followed it, latest first"""
    chain_complete: bool
    """False when it is longer than 100 in either direction"""


class DecisionLink(Record):
    """A decision that another one supersedes, is superseded by, or relates to"""

    decision_id: str
    title: str
    status: Literal["proposed", "accepted", "rejected", "archived"] | str
    kind: Literal["supersedes", "superseded_by", "relates"] | str


class DecisionChainEntry(Record):
    """A decision in a chain of decisions that supersede each other"""

    decision_id: str
    title: str
    status: Literal["proposed", "accepted", "rejected", "archived"] | str
    steps: int
    """0: this decision; -1: the one that it supersedes; 1: one that supersedes it; and so on"""


class ListDecisionOutcomesResult(Record):
    data: list[Outcome]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class ListDecisionHistoryResult(Record):
    data: list[DecisionHistoryEntry]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class ApprovalRules(Record):
    """The rules of approvals of a workspace"""

    workspace_id: str
    rules: list[ApprovalRule]
    version: int
    """0 before the first rule"""


class Approval(Record):
    """The answer of createDecisionApproval: Approve the text of a decision, object to it, or abstain; only
    people, not programs
    """

    id: str
    workspace_id: str
    decision_id: str
    decision_version: int
    content_sha256: str
    verdict: Literal["approve", "object", "abstain"] | str
    reason: str | None = None
    approver: Author
    state: Literal["current", "replaced", "voided"] | str
    """replaced: by a later verdict of the same person; voided: by a change of the text"""
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    ended_at: Time | None = None
    """When it was replaced or voided"""


class RequestedApproval(Record):
    """The answer of requestDecisionApproval: Ask members to approve a decision"""

    decision_id: str
    content_sha256: str
    requested_of: list[DecisionApprovalsMissingMembers]
    requested_at: Time
    """RFC 3339, UTC, milliseconds"""


class Metrics(Record):
    """The answer of getMetrics: The workspace metric (WMS), calibration and overdue count"""

    workspace_id: str
    wms: int | float
    """100 x decided / total; 0 when there are no decisions"""
    decisions_total: int
    decisions_with_outcome: int
    overdue: int
    """Outcome pending, expected_by past, not rejected or archived"""
    average_quality_score: int | float | None = None
    calibration: MetricsCalibration | None = None
    """Null below 10 scored forecasts. Brier (1950): mean of (forecast - observed)^2"""
    score_and_success: ScoreAndSuccess
    included: MetricsIncluded | None = None
    """The parts named by include: the history of as many weeks as asked; your calendar feed, null for a
    key; what /metrics/calibration returns
    """


class MetricsCalibration(Record):
    scored: int
    brier_score: int | float
    base_rate: int | float
    bins: list[MetricsCalibrationBins]


class MetricsCalibrationBins(Record):
    from_: int | float = Field(alias="from")
    to: int | float
    count: int
    mean_forecast: int | float | None = None
    observed_rate: int | float | None = None


class ScoreAndSuccess(Record):
    """Whether decisions with a higher quality score succeeded more often: low is below 40, high from 70 on"""

    low: ScoreBand
    middle: ScoreBand
    high: ScoreBand
    difference: Estimate | None = None
    """The rate of high less that of low, by Newcombe (1998)"""


class ScoreBand(Record):
    """The decisions whose quality score is in a band"""

    cases: int
    """Their outcome is success, or partial or failure, which are no success"""
    success_rate: Estimate | None = None
    """By Wilson (1927). Null below 10 cases"""


class Estimate(Record):
    """A figure with the ends of its 95 % interval"""

    value: int | float
    from_: int | float = Field(alias="from")
    to: int | float


class MetricsIncluded(Record):
    """The parts named by include: the history of as many weeks as asked; your calendar feed, null for a
    key; what /metrics/calibration returns
    """

    history: MetricsHistory | None = None
    calendar_feed: CalendarFeedState | None = None
    calibration: Calibration | None = None


class MetricsHistory(Record):
    """Counts only decisions that still exist: deleted ones are missing from the past, too"""

    workspace_id: str
    data: list[MetricsHistoryData]
    """The metric at the start of each week (Monday, UTC), oldest first, and the metric now"""


class MetricsHistoryData(Record):
    at: Time
    """RFC 3339, UTC, milliseconds"""
    wms: int | float
    """As in /metrics: 100 x decided / total"""
    decisions_total: int
    decisions_with_outcome: int


class CalendarFeedState(Record):
    """The answer of getCalendarFeed: Whether you have a calendar feed, without its address"""

    feed: CalendarFeed | None = None
    """Null if there is none, or if it no longer works"""


class CalendarFeed(Record):
    """A calendar feed, without its address"""

    id: str
    workspace_id: str
    user_id: str
    created_at: Time
    """RFC 3339, UTC, milliseconds"""


class Calibration(Record):
    """How well the forecasts of people and agents met the outcomes"""

    workspace_id: str
    all: ForecastAccuracy
    forecasters: list[CalibrationForecasters]
    """Those with most decisions first; at most 200, as of types and tags"""
    types: list[CalibrationTypes]
    tags: list[CalibrationTypes]


class ForecastAccuracy(Record):
    """How well forecasts have met the outcomes"""

    decisions: int
    """Scored ones: their outcome is success, partial or failure"""
    forecasts: int
    brier_score: int | float | None = None
    """The mean of (forecast - outcome)^2. Null below ten decisions, as all"""
    base_rate: int | float | None = None
    """The mean outcome"""
    skill: int | float | None = None
    """1 - Brier score / that of always forecasting the base rate. Null where all outcomes are the same"""
    reliability: int | float | None = None
    """Murphy (1973), over ten bins of forecasts: 0 is best"""
    resolution: int | float | None = None
    """Murphy (1973), over the same bins: higher is better"""


class CalibrationForecasters(Record):
    id: str
    name: str | None = None
    decisions: int
    """Scored ones: their outcome is success, partial or failure"""
    forecasts: int
    brier_score: int | float | None = None
    """The mean of (forecast - outcome)^2. Null below ten decisions, as all"""
    base_rate: int | float | None = None
    """The mean outcome"""
    skill: int | float | None = None
    """1 - Brier score / that of always forecasting the base rate. Null where all outcomes are the same"""
    reliability: int | float | None = None
    """Murphy (1973), over ten bins of forecasts: 0 is best"""
    resolution: int | float | None = None
    """Murphy (1973), over the same bins: higher is better"""


class CalibrationTypes(Record):
    value: str
    decisions: int
    """Scored ones: their outcome is success, partial or failure"""
    forecasts: int
    brier_score: int | float | None = None
    """The mean of (forecast - outcome)^2. Null below ten decisions, as all"""
    base_rate: int | float | None = None
    """The mean outcome"""
    skill: int | float | None = None
    """1 - Brier score / that of always forecasting the base rate. Null where all outcomes are the same"""
    reliability: int | float | None = None
    """Murphy (1973), over ten bins of forecasts: 0 is best"""
    resolution: int | float | None = None
    """Murphy (1973), over the same bins: higher is better"""


class CalendarFeedWithUrl(Record):
    """A calendar feed with its address, which only this answer has"""

    id: str
    workspace_id: str
    user_id: str
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    url: str | None = Field(default=None, repr=False)
    """The address to subscribe to in a calendar program, in the first answer only"""


class ListWorkflowsResult(Record):
    data: list[WorkflowWithParts]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class WorkflowWithParts(Record):
    """A workflow, with the parts that the request includes"""

    id: str
    workspace_id: str
    title: str
    """What the workflow is called"""
    description: str
    """What the workflow is for"""
    acyclic: bool
    """Refuse edges that close a cycle"""
    created_by: str | None = None
    """Id of the user, the service account or the key that created it; null if older"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    version: int
    included: WorkflowWithPartsIncluded | None = None
    """The parts named by include"""


class WorkflowWithPartsIncluded(Record):
    """The parts named by include"""

    outline: WorkflowOutline | None = None


class WorkflowOutline(Record):
    """The size of a graph, and a small picture of it"""

    node_count: int
    edge_count: int
    picture: WorkflowOutlinePicture | None = None
    """Null for more than 60 nodes, or twice as many edges"""


class WorkflowOutlinePicture(Record):
    nodes: list[WorkflowOutlinePictureNodes]
    edges: list[WorkflowOutlinePictureEdges]
    """As indexes of nodes"""


class WorkflowOutlinePictureNodes(Record):
    x: int
    y: int


class WorkflowOutlinePictureEdges(Record):
    source: int
    target: int


class Workflow(Record):
    """A workflow, without its nodes and edges"""

    id: str
    workspace_id: str
    title: str
    """What the workflow is called"""
    description: str
    """What the workflow is for"""
    acyclic: bool
    """Refuse edges that close a cycle"""
    created_by: str | None = None
    """Id of the user, the service account or the key that created it; null if older"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    version: int


class WorkflowGraph(Record):
    """A workflow with all its nodes and edges"""

    id: str
    workspace_id: str
    title: str
    """What the workflow is called"""
    description: str
    """What the workflow is for"""
    acyclic: bool
    """Refuse edges that close a cycle"""
    created_by: str | None = None
    """Id of the user, the service account or the key that created it; null if older"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    version: int
    nodes: list[Node]
    edges: list[Edge]


class Node(Record):
    """A step of a workflow, at a position of its canvas"""

    id: str
    workspace_id: str
    workflow_id: str
    type: Literal["task", "doc", "table", "thread", "decision", "automation", "pulse"] | str
    """What kind of step it is; it never changes"""
    title: str
    """What the node is called"""
    data: dict[str, Any]
    """Fields of your own; a change replaces the whole object"""
    position_x: int
    """Its place on the canvas, from left to right"""
    position_y: int
    """Its place on the canvas, from top to bottom"""
    status: Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str
    """How far the work on it is"""
    assigned_to: str | None = None
    """The user id or name of who does it"""
    external_id: str | None = None
    """Its id in another system, which no other node of the workspace has"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    version: int


class Edge(Record):
    """A connection from one node to another"""

    id: str
    workspace_id: str
    workflow_id: str
    source_id: str
    """The id of the node at its start"""
    target_id: str
    """The id of the node at its end"""
    condition: dict[str, Any] | None = None
    """When it is followed, in fields of your own"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""


class ListNodesResult(Record):
    data: list[Node]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Deletion(Record):
    """How many records were deleted"""

    id: str
    deleted: bool


class ListEdgesResult(Record):
    data: list[Edge]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class MessageCounts(Record):
    """The answer of countMessages: How many messages nodes have, counted up to 100"""

    data: list[MessageCountsData]
    """Only nodes that have messages"""


class MessageCountsData(Record):
    node_id: str
    messages: int


class Message(Record):
    """A message in the thread of a node or a decision"""

    id: str
    thread_id: str
    node_id: str | None = None
    """Null in the thread of a decision"""
    decision_id: str | None = None
    """Null in the thread of a node"""
    content: str
    """The text; @[user id] mentions a member"""
    content_type: Literal["text", "markdown"] | str
    """How the console shows the content"""
    reply_to: str | None = None
    """The id of the message that it answers"""
    mentions: list[str]
    """Ids of the members whom the content mentions"""
    author: Author
    author_person: str | None = None
    """The person whose API key is the author; else null"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    edited_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    reactions: list[Reaction]
    """Each emoji that somebody has reacted with"""
    resolved_at: Time | None = None
    """When it was resolved with its replies"""
    resolved_by: Author | None = None
    imported_by: Author | None = None
    """Who imported the record; its authors and times are then those of the file. Null for other records"""


class Reaction(Record):
    """Who has reacted to a message with an emoji"""

    emoji: Literal["thumbs_up", "thumbs_down", "heart", "tada", "eyes", "question"] | str
    reactor_ids: list[str]
    """Ids of users and service accounts, also where a key has sent it; first reaction first"""


class ThreadWithMessages(Record):
    """A thread with a page of its messages"""

    thread: Thread | None = None
    """Null when there is none"""
    messages: list[Message]
    resolved_replies: dict[str, str]
    """Ids of those messages that are replies in a resolved conversation, with the id that begins it"""
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Thread(Record):
    """The thread of a node or a decision, without its messages"""

    id: str
    workspace_id: str
    node_id: str | None = None
    """Null in the thread of a decision"""
    decision_id: str | None = None
    """Null in the thread of a node"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""


class PostedMessage(Record):
    """A new message with its thread"""

    thread: Thread
    message: Message


class SearchHits(Record):
    """The answer of search: Nodes, decisions and workflows that contain a text, newest first in each group"""

    nodes: list[NodeHit]
    decisions: list[DecisionHit]
    workflows: list[WorkflowHit]
    next_cursors: SearchHitsNextCursors


class NodeHit(Record):
    """A node that contains the text"""

    id: str
    title: str
    """What the node is called"""
    type: Literal["task", "doc", "table", "thread", "decision", "automation", "pulse"] | str
    """What kind of step it is; it never changes"""
    status: Literal["backlog", "todo", "in_progress", "in_review", "done", "cancelled"] | str
    """How far the work on it is"""
    workflow_id: str
    highlights: list[Highlight]


class Highlight(Record):
    """A part of the text that was found, in the words around it"""

    field: str
    """Path of the field that matches: title, tags.2, options_considered.0.title, message"""
    message_id: str | None = None
    """The message of a node that matches"""
    start: int
    """Where the match starts in the original text, UTF-16 code units"""
    end: int
    """Where it ends, exclusive"""
    excerpt: str
    """The original text around the match"""
    excerpt_start: int
    """Where the excerpt starts in the original text"""


class DecisionHit(Record):
    """A decision that contains the text"""

    id: str
    title: str
    """What the decision is called; by default its question"""
    status: Literal["proposed", "accepted", "rejected", "archived"] | str
    """proposed: still open; accepted: it holds; archived: it holds no longer"""
    highlights: list[Highlight]


class WorkflowHit(Record):
    """A workflow that contains the text"""

    id: str
    title: str
    """What the workflow is called"""
    highlights: list[Highlight]


class SearchHitsNextCursors(Record):
    nodes: str | None = None
    """Send as cursor for the next page; null at the end"""
    decisions: str | None = None
    """Send as cursor for the next page; null at the end"""
    workflows: str | None = None
    """Send as cursor for the next page; null at the end"""


class ListAuditLogResult(Record):
    data: list[AuditEntry]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class AuditEntry(Record):
    """An entry of the audit log, in the chain of the workspace"""

    id: str
    """The id of the event that the entry records"""
    seq: int
    """The position in the chain: 1, 2, 3 … without a gap"""
    workspace_id: str | None = None
    """Null in the chain of a user, which has actions outside any workspace"""
    actor: Actor
    action: str
    resource_type: str
    resource_id: str | None = None
    title: str | None = None
    """The title that the decision, workflow or node has now. Not part of the hashes; absent in exports,
    and while search is unavailable
    """
    changes: dict[str, DecisionApprovalsDataDifference] | None = None
    request_id: str | None = None
    ip: str | None = None
    user_agent: str | None = None
    via: str | None = None
    """Through what the request came, if not directly to the API: `mcp`, a tool of the MCP server"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    details_salt: str | None = None
    """16 random bytes, base64url. Erasure sets it to null, with the actor’s name and prefix, ip,
    user_agent and changes
    """
    details_hash: str
    """SHA-256 over details_salt and the personal details; survives their erasure"""
    hash: str
    """SHA-256 over the entry without hash, the personal details and their salt"""
    prev_hash: str
    """The hash of the previous entry; 64 zeros in the first, after a gap the hash of the segment"""
    erasure: AuditErasure | None = None
    """Only with erased details"""
    withheld: list[Literal["changes", "ip", "user_agent", "details_salt"] | str] | None = None
    """The fields that are null only for this caller, who has no role or one below admin. Such an entry
    proves its `hash`, not its `details_hash`
    """


class Actor(Record):
    """Who did something"""

    type: Literal["api_key", "service_account", "session", "service", "anonymous"] | str
    id: str | None = None
    """The id of the key, the service account or the user"""
    name: str | None = None
    key_prefix: str | None = None


class AuditErasure(Record):
    """Proves that Waymark itself erased the personal details of an entry"""

    at: Time
    """RFC 3339, UTC, milliseconds"""
    key_id: str
    signature: str
    """Ed25519 over `erasure\\ndetails_hash\\nat`, base64url"""


class AuditFacets(Record):
    """The answer of getAuditFacets: The actions, kinds of records and actors of the newest 2000 entries,
    with counts, and how long entries are kept
    """

    actions: list[DecisionFacetsTags]
    resource_types: list[DecisionFacetsTags]
    actors: list[AuditFacetsActors]
    retention_days: int | None = None
    """After how many days entries are removed, which the operator sets; null for never"""


class AuditFacetsActors(Record):
    id: str
    name: str | None = None
    key_prefix: str | None = None
    count: int


class AuditVerification(Record):
    """The answer of verifyAuditLog: Recompute the chain and check its signed head"""

    valid: bool
    entries: int
    """Valid entries, from the first that remains"""
    erased: int
    """Valid entries whose personal details were erased"""
    checkpoint: AuditCheckpoint | None = None
    """The start of the chain; null when its first entry remains"""
    segments: list[AuditSegment]
    """The gaps after which an operator resumed the chain"""
    stopped: AuditVerificationStopped | None = None
    """Why the chain accepts no entries; null while it does"""
    head: AuditHead | None = None
    public_key: str
    """The key for the head’s signature: Ed25519, SPKI, base64url"""
    fault: AuditVerificationFault | None = None
    """The first entry that is not valid"""


class AuditCheckpoint(Record):
    """The start of a chain whose older entries retention removed"""

    chain: str
    seq: int
    hash: str
    """The hash of entry `seq`, the last that was removed: the prev_hash of the first that remains"""
    at: Time
    """When retention removed the entries up to `seq`"""
    key_id: str
    signature: str
    """Ed25519 over `checkpoint\\nchain\\nseq\\nhash\\nat`, base64url"""


class AuditSegment(Record):
    """The start of a chain after a gap: what was lost or changed. The hash over its signed text is the
    first prev_hash
    """

    chain: str
    after_seq: int
    """The last entry before the gap that is proven; 0 for none"""
    after_hash: str
    """Its hash; 64 zeros for none"""
    until_seq: int
    """The last position of the gap: the segment begins at the next one"""
    known_seq: int | None = None
    """The last entry that the event stream named, if any"""
    known_hash: str | None = None
    reason: Literal["missing", "invalid", "older"] | str
    """`missing` or `invalid`: the signed head; `older`: the chain is older than the event stream"""
    stopped_at: Time
    """RFC 3339, UTC, milliseconds"""
    at: Time
    """When an operator resumed the chain"""
    key_id: str
    signature: str
    """Ed25519 over `segment` and the fields above in this order, joined by newlines, base64url"""


class AuditVerificationStopped(Record):
    reason: Literal["missing", "invalid", "older"] | str
    """`missing` or `invalid`: the signed head; `older`: the chain is older than the event stream"""
    at: Time
    """RFC 3339, UTC, milliseconds"""
    held_events: int
    """Events that wait until an operator resumes the chain"""


class AuditHead(Record):
    """Save it: an export that does not match a saved head shows that the past was rewritten"""

    chain: str
    seq: int
    hash: str
    key_id: str
    signature: str
    """Ed25519 over `chain\\nseq\\nhash`, base64url"""


class AuditVerificationFault(Record):
    seq: int
    reason: str


class EventLogPage(Record):
    """The answer of listEventLog: The events of the last 30 days, oldest first, with consecutive numbers"""

    data: list[LoggedEvent]
    next_after: int
    """Send as after for the next page: the number of the last event, or after itself"""
    newest: int
    """The number of the newest event of the workspace; 0 before the first"""


class LoggedEvent(Record):
    """An event with its number in the log of the workspace"""

    number: int
    """The position in the log of the workspace: 1, 2, 3 … without a gap"""
    id: str
    """The id of the event, as in webhook deliveries and in the audit log"""
    type: Literal["decision.created", "decision.updated", "decision.deleted", "decision.outcome_logged", "decision.approval_requested", "decision.approved", "decision.objected", "decision.abstained", "decision.approval_voided", "decision.reviewed", "decision.forecast_given", "decision.approval_rules_updated", "calendar_feed.created", "calendar_feed.revoked", "workflow.created", "workflow.updated", "workflow.deleted", "workflow.graph_replaced", "node.created", "node.updated", "node.deleted", "nodes.created", "nodes.updated", "nodes.deleted", "edge.created", "edge.deleted", "edges.created", "edges.updated", "edges.deleted", "thread.message_created", "thread.message_updated", "thread.message_deleted", "thread.message_resolved", "thread.message_reopened", "thread.reaction_added", "thread.reaction_removed", "decision.exported", "audit_log.exported", "workspace.exported", "workspace.exported_madr", "workspace.imported", "workspace.import_finished", "decisions.imported", "workflow.imported", "nodes.imported", "decisions.restored", "nodes.restored", "messages.imported", "workspace.created", "workspace.updated", "workspace.deleted", "workspace.member_added", "workspace.member_updated", "workspace.member_removed", "invitation.created", "invitation.revoked", "billing.plan_changed", "api_key.created", "api_key.rotated", "api_key.revoked", "api_key.expiring", "service_account.created", "service_account.updated", "service_account.deleted", "view.shared", "view.unshared", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.failing", "webhook.disabled", "webhook.tested", "webhook.replayed", "delivery.replayed", "user.signed_up", "user.signed_in", "user.signed_out", "user.session_ended", "user.erased", "user.identity_linked", "user.updated", "user.email_changed", "user.passkey_added", "user.passkey_updated", "user.passkey_removed", "user.totp_added", "user.totp_removed", "user.recovery_codes_renewed", "user.password_changed"] | str
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    workspace_id: str
    actor: Author
    subject: LoggedEventSubject
    """The record; events about one may arrive out of order, and the highest version is the newest"""
    request_id: str | None = None
    """The request that made the change"""
    data: dict[str, Any] | None = None
    """As in a webhook delivery; null in events about settings for callers who may not read these, and
    after a person in it was erased
    """


class LoggedEventSubject(Record):
    """The record; events about one may arrive out of order, and the highest version is the newest"""

    type: str
    id: str
    version: int


class ListEventOffsetsResult(Record):
    data: list[EventOffset]


class EventOffset(Record):
    """How far a program has read the event log"""

    name: str
    """The name of the program that reads the log"""
    number: int
    """The last event that the program has handled"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""


class ListWebhooksResult(Record):
    data: list[Webhook]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class Webhook(Record):
    """An endpoint that receives events, without its secret"""

    id: str
    workspace_id: str
    url: str
    """A public address, by https on port 443 or 8443 (the operator can allow others)"""
    description: str
    """What the endpoint is for"""
    format: Literal["waymark", "slack", "teams", "discord"] | str
    """What is sent: waymark, the event as JSON; slack, teams or discord, a message that an incoming
    webhook of that chat shows
    """
    max_per_second: int | None = None
    """The most attempts in any second, over all replicas; null for no limit of its own"""
    events: list[str]
    """The event types that are delivered; GET /webhooks/event-types lists all"""
    enabled: bool
    disabled_reason: Literal["user", "gone", "failing"] | str | None = None
    """user: somebody disabled it; gone: it answered 410; failing: it failed on five days without a success"""
    disabled_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    failing_since: Time | None = None
    """The first failure since the last success"""
    previous_secret_until: Time | None = None
    """The end of the current rotation"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""


class WebhookWithSecret(Record):
    """An endpoint with its signing secret, which only this answer has"""

    id: str
    workspace_id: str
    url: str = Field(repr=False)
    """A public address, by https on port 443 or 8443 (the operator can allow others)"""
    description: str
    """What the endpoint is for"""
    format: Literal["waymark", "slack", "teams", "discord"] | str
    """What is sent: waymark, the event as JSON; slack, teams or discord, a message that an incoming
    webhook of that chat shows
    """
    max_per_second: int | None = None
    """The most attempts in any second, over all replicas; null for no limit of its own"""
    events: list[str]
    """The event types that are delivered; GET /webhooks/event-types lists all"""
    enabled: bool
    disabled_reason: Literal["user", "gone", "failing"] | str | None = None
    """user: somebody disabled it; gone: it answered 410; failing: it failed on five days without a success"""
    disabled_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    failing_since: Time | None = None
    """The first failure since the last success"""
    previous_secret_until: Time | None = None
    """The end of the current rotation"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    secret: str | None = Field(default=None, repr=False)
    """The signing secret, whsec_…, in the first answer only"""


class ListWebhookEventTypesResult(Record):
    data: list[WebhookEventType]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class WebhookEventType(Record):
    """An event type that a delivery may carry"""

    type: str
    summary: str
    subscribable: bool
    """false for ping, which only a test sends"""
    schema_: dict[str, Any] = Field(alias="schema")
    """JSON Schema of the payload’s data"""


class WebhookWithParts(Record):
    """The answer of getWebhook: Read an endpoint"""

    id: str
    workspace_id: str
    url: str
    """A public address, by https on port 443 or 8443 (the operator can allow others)"""
    description: str
    """What the endpoint is for"""
    format: Literal["waymark", "slack", "teams", "discord"] | str
    """What is sent: waymark, the event as JSON; slack, teams or discord, a message that an incoming
    webhook of that chat shows
    """
    max_per_second: int | None = None
    """The most attempts in any second, over all replicas; null for no limit of its own"""
    events: list[str]
    """The event types that are delivered; GET /webhooks/event-types lists all"""
    enabled: bool
    disabled_reason: Literal["user", "gone", "failing"] | str | None = None
    """user: somebody disabled it; gone: it answered 410; failing: it failed on five days without a success"""
    disabled_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    failing_since: Time | None = None
    """The first failure since the last success"""
    previous_secret_until: Time | None = None
    """The end of the current rotation"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    updated_at: Time
    """RFC 3339, UTC, milliseconds"""
    included: WebhookWithPartsIncluded | None = None
    """The parts named by include"""


class WebhookWithPartsIncluded(Record):
    """The parts named by include"""

    stats: WebhookStats | None = None


class WebhookStats(Record):
    """The answer of getWebhookStats: The number of deliveries to an endpoint by status, and its attempts
    hour by hour
    """

    webhook_id: str
    accepted: int
    """delivered + pending + failed + held + cancelled"""
    delivered: int
    pending: int
    failed: int
    held: int
    cancelled: int
    history: list[WebhookHour]
    """The hours of the last 7 days in which there were attempts, oldest first"""


class WebhookHour(Record):
    """The attempts of one hour"""

    hour: Time
    """The start of the hour"""
    attempts_succeeded: int
    attempts_failed: int
    latency_ms: WebhookHourLatencyMs
    """Of all attempts, including timeouts; percentiles can be up to a tenth too high"""


class WebhookHourLatencyMs(Record):
    """Of all attempts, including timeouts; percentiles can be up to a tenth too high"""

    average: int
    p50: int
    p95: int
    max: int


class Delivery(Record):
    """An event on its way to an endpoint"""

    id: str
    """Stable across retries and replays: use it to drop duplicates"""
    workspace_id: str
    webhook_id: str
    event_id: str
    event_type: str
    status: Literal["pending", "delivered", "failed", "held", "cancelled"] | str
    """held: its endpoint is disabled; cancelled: its endpoint was deleted"""
    series: int
    """1 at first; each replay adds 1"""
    attempt: int
    """Attempts made in this series"""
    max_attempts: int
    next_attempt_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    finished_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""


class ListWebhookDeliveriesResult(Record):
    data: list[Delivery]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""


class WebhookReplayed(Record):
    """The answer of replayWebhook: Send the deliveries with a status again, oldest first, each with the
    same id
    """

    replayed: int
    """How many deliveries start a new series"""
    next_since: Time | None = None
    """Where to continue: call again with this as since; null when nothing is left"""


class DeliveryWithAttempts(Record):
    """The answer of getDelivery: Read a delivery with its payload and every attempt"""

    id: str
    """Stable across retries and replays: use it to drop duplicates"""
    workspace_id: str
    webhook_id: str
    event_id: str
    event_type: str
    status: Literal["pending", "delivered", "failed", "held", "cancelled"] | str
    """held: its endpoint is disabled; cancelled: its endpoint was deleted"""
    series: int
    """1 at first; each replay adds 1"""
    attempt: int
    """Attempts made in this series"""
    max_attempts: int
    next_attempt_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    finished_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    payload: WebhookPayload
    body: str
    """The exact text that is signed and sent: the payload, or the message that the last attempt sent to a
    chat
    """
    attempts: list[DeliveryAttempt]
    """Oldest first"""


class WebhookPayload(Record):
    """The signed payload; ids sort by time"""

    id: str
    type: str
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    workspace_id: str
    test: bool | None = None
    """Only in a test of an event, whose data is an example"""
    data: Any


class DeliveryAttempt(Record):
    """A request to an endpoint, with its answer"""

    series: int
    attempt: int
    started_at: Time
    """RFC 3339, UTC, milliseconds"""
    request: DeliveryAttemptRequest | None = None
    """The request that was sent, with its signatures; null when it was not recorded"""
    latency_ms: int
    status: int | None = None
    """HTTP status; null when there was no answer"""
    error: str | None = None
    """Why there was no complete answer"""
    response_headers: list[HttpHeader] | None = None
    """The headers of the answer, without the values of its cookies"""
    response_body: str | None = None
    """The first 16 KiB of the answer"""


class DeliveryAttemptRequest(Record):
    method: Literal["POST"] | str
    url: str
    headers: list[HttpHeader]


class HttpHeader(Record):
    """A header of a request or an answer"""

    name: str
    value: str


class ImportJob(Record):
    """An import, its progress, and what is wrong with the file"""

    id: str
    workspace_id: str
    status: Literal["queued", "running", "succeeded", "failed"] | str
    phase: Literal["reading", "checking", "writing"] | str
    """reading and checking store nothing in the workspace. Of a failed import: the phase in which it
    failed
    """
    dry_run: bool
    ids: Literal["keep", "remap"] | str
    progress: ImportJobProgress
    issues: list[ImportJobIssues]
    """Problems that prevent the import; path names the record, for example nodes.12"""
    issue_count: int
    """The number of all issues; issues has the first ones"""
    warnings: list[ImportJobIssues]
    """Problems that do not prevent the import, and the rules of approvals that it sets"""
    warning_count: int
    created_by: ImportAuthor
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    started_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    finished_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""


class ImportJobProgress(Record):
    done: ImportJobProgressDone
    """Records processed in the current phase"""
    total: ImportJobProgressTotal | None = None
    """Null until the file has been read"""
    stored: ImportJobProgressStored
    """Stored by this import, even if it failed later"""
    present: ImportJobProgressPresent
    """Records that the workspace already has; they stay as they are"""
    left_out: ImportJobProgressLeftOut
    """Left out, because the record belongs to a deleted or a differing one; a warning names each"""


class ImportJobProgressDone(Record):
    """Records processed in the current phase"""

    workflows: int
    nodes: int
    edges: int
    decisions: int
    outcomes: int
    approvals: int
    forecasts: int
    history: int
    links: int
    threads: int
    messages: int
    approval_rules: int


class ImportJobProgressTotal(Record):
    workflows: int
    nodes: int
    edges: int
    decisions: int
    outcomes: int
    approvals: int
    forecasts: int
    history: int
    links: int
    threads: int
    messages: int
    approval_rules: int


class ImportJobProgressStored(Record):
    """Stored by this import, even if it failed later"""

    workflows: int
    nodes: int
    edges: int
    decisions: int
    outcomes: int
    approvals: int
    forecasts: int
    history: int
    links: int
    threads: int
    messages: int
    approval_rules: int


class ImportJobProgressPresent(Record):
    """Records that the workspace already has; they stay as they are"""

    workflows: int
    nodes: int
    edges: int
    decisions: int
    outcomes: int
    approvals: int
    forecasts: int
    history: int
    links: int
    threads: int
    messages: int
    approval_rules: int


class ImportJobProgressLeftOut(Record):
    """Left out, because the record belongs to a deleted or a differing one; a warning names each"""

    workflows: int
    nodes: int
    edges: int
    decisions: int
    outcomes: int
    approvals: int
    forecasts: int
    history: int
    links: int
    threads: int
    messages: int
    approval_rules: int


class ImportJobIssues(Record):
    path: str
    message: str


class ImportAuthor(Record):
    """Who started an import"""

    type: Literal["api_key", "service_account", "session", "service", "anonymous"] | str
    id: str | None = None
    """The id of the key, the service account or the user"""
    name: str | None = None


class BatchResults(Record):
    """The answer of batch: Up to 100 changes of decisions, nodes, edges and messages in one request"""

    results: list[BatchItemResult]
    """In the order of the operations"""


class BatchItemResult(Record):
    """The answer of one operation of a batch"""

    status: int
    """The status that the operation has by itself"""
    body: dict[str, Any] | None = None
    """What the operation answers by itself; null without content and with an error"""
    error: ErrorBody | None = None


class ErrorBody(Record):
    """What an operation answers instead of its result"""

    error: str
    """Stable machine-readable code"""
    message: str | None = None
    """What happened, then what to do, for people"""
    reason: Literal["not_a_member", "role", "second_factor", "key_on_settings", "key_restrictions", "ip_not_allowed", "origin", "author", "other_email", "mcp_read_only", "operator", "expired", "ahead", "rate_limit", "concurrency"] | str | None = None
    """Which of the reasons of the code it is"""
    required_scope: Literal["read", "write"] | str | None = Field(default=None, alias="requiredScope")
    """The scope that the key lacks"""
    required_plan: Literal["free", "pro", "business", "enterprise"] | str | None = Field(default=None, alias="requiredPlan")
    """The least plan that includes what PLAN_GATE refused"""
    issues: list[ErrorBodyIssues] | None = None
    """Everything that is wrong with the request"""
    request_id: str | None = Field(default=None, alias="requestId")
    """The X-Request-Id of the answer, which logs name"""
    docs: str | None = None
    """Path of the page that explains the code"""


class ErrorBodyIssues(Record):
    path: str
    """The field or parameter, such as status.0"""
    message: str
    """What is wrong with it"""


class NotificationListWithParts(Record):
    """The answer of listNotifications: What you were told, newest first: mentions, replies, assignments
    and what waits for you
    """

    data: list[Notification]
    next_cursor: str | None = None
    """Send as cursor for the next page; null at the end"""
    unread_count: int
    """Of all your workspaces, or of the one in the query; counted up to 1000"""
    time_zone: str | None = None
    """That of your daily mail; null until there is one"""
    included: NotificationListWithPartsIncluded | None = None
    """The parts named by include"""


class Notification(Record):
    """The answer of updateNotification: Mark a notification as read or unread, or snooze it"""

    id: str
    workspace_id: str
    kind: Literal["mention", "reply", "assignment", "change", "approval_requested", "approval_voided", "outcome_overdue", "review_due", "import_finished", "key_expiring", "endpoint_failing", "endpoint_disabled"] | str
    record_type: Literal["workspace", "decision", "workflow", "node", "import", "api_key", "webhook"] | str
    record_id: str
    """What it is about: the decision or node of a message, for example"""
    workflow_id: str | None = None
    """The workflow of a node"""
    message_id: str | None = None
    """The message of a mention or a reply"""
    title: str | None = None
    """The title or name of the record as it is now; null if unknown"""
    excerpt: str | None = None
    """The first 200 characters of the message, without Markdown syntax; for an API key, how it begins"""
    key_expires_at: Time | None = None
    """When the API key expires; null for every other kind"""
    actor: Author | None = None
    """Who caused it; null for a date that has come"""
    created_at: Time
    """RFC 3339, UTC, milliseconds"""
    read_at: Time | None = None
    """RFC 3339, UTC, milliseconds"""
    snoozed_until: Time | None = None
    """It is not listed before this time"""


class NotificationListWithPartsIncluded(Record):
    """The parts named by include"""

    subscriptions: list[NotificationListWithPartsIncludedSubscriptions] | None = None


class NotificationListWithPartsIncludedSubscriptions(Record):
    record_id: str
    level: Literal["watch", "mute"] | str
    """watch: told of every change and message; mute: told of nothing. A record wins over its workspace"""


class ReadNotifications(Record):
    """The answer of readNotifications: Mark all notifications as read, or those of a workspace or until a
    time
    """

    read: int
    """How many were unread"""
    unread_count: int
    """Of all your workspaces, or of the one in the query; counted up to 1000"""


class MailSettingsWithParts(Record):
    """The answer of getMailSettings: Of which notifications you get mail, at once or in a daily one"""

    time_zone: str | None = None
    """Of the daily mail, at 08:00; null, until there is one, is UTC"""
    at_once: list[Literal["mention", "reply", "assignment", "change", "approval_requested", "approval_voided", "outcome_overdue", "review_due", "import_finished", "key_expiring", "endpoint_failing", "endpoint_disabled"] | str]
    """The kinds with a mail each"""
    daily: list[Literal["mention", "reply", "assignment", "change", "approval_requested", "approval_voided", "outcome_overdue", "review_due", "import_finished", "key_expiring", "endpoint_failing", "endpoint_disabled"] | str]
    """The kinds in the daily mail; a kind in neither list is not mailed"""
    included: MailSettingsWithPartsIncluded | None = None
    """The parts named by include"""


class MailSettingsWithPartsIncluded(Record):
    """The parts named by include"""

    subscriptions: list[Subscription] | None = None


class Subscription(Record):
    """The answer of putSubscription: Watch or mute a record, or a whole workspace, by its id"""

    workspace_id: str
    record_type: Literal["workspace", "decision", "workflow", "node"] | str
    record_id: str
    workflow_id: str | None = None
    """The workflow of a node"""
    title: str | None = None
    """The title of the record as it is now; null of a workspace, and until an event has told it"""
    level: Literal["watch", "mute"] | str
    """watch: told of every change and message; mute: told of nothing. A record wins over its workspace"""


class MailSettings(Record):
    """Of which notifications a person gets mail"""

    time_zone: str | None = None
    """Of the daily mail, at 08:00; null, until there is one, is UTC"""
    at_once: list[Literal["mention", "reply", "assignment", "change", "approval_requested", "approval_voided", "outcome_overdue", "review_due", "import_finished", "key_expiring", "endpoint_failing", "endpoint_disabled"] | str]
    """The kinds with a mail each"""
    daily: list[Literal["mention", "reply", "assignment", "change", "approval_requested", "approval_voided", "outcome_overdue", "review_due", "import_finished", "key_expiring", "endpoint_failing", "endpoint_disabled"] | str]
    """The kinds in the daily mail; a kind in neither list is not mailed"""


class ListSubscriptionsResult(Record):
    data: list[Subscription]
