import type { z } from 'zod';
import type { Changelog } from '../resources/gateway.ts';

/** The version of the public API description, which the specification sets. */
export const OPENAPI_VERSION = '1.4.1.1';

type Log = z.input<typeof Changelog>;
type Entry = Log['entries'][number];

const entries = (date: string, kind: Entry['kind'], texts: string[]): Entry[] =>
  texts.map((text) => ({ date, kind, text }));

export const changelog: Log = {
  version: OPENAPI_VERSION,
  entries: [
    ...entries('2026-11-29', 'added', [
      'Threads of decisions: /decisions/{decisionId}/thread and its messages; a thread and a message have a decisionId, and their nodeId is null there',
      'Reactions to messages, from a list of six: PUT and DELETE …/messages/{id}/reactions/{emoji}, the events thread.reaction_added and .reaction_removed; PUT and DELETE …/messages/{id}/resolution resolve and reopen the conversation that a message begins, as a reply to it does, with thread.message_resolved and .message_reopened',
      'A message answers another one in replyTo, and mentions members as @[user id]; mentions has their ids',
      'deciders, consulted and informed of a decision: members by user id, or names; created_by_person of a decision and author_person of a message: the person whose API key it was',
      'GET /decisions?waitingFor={user id}: what waits for somebody; GET /workflows/nodes filters by assignedTo and status',
      'GET and PUT /notifications/mail-settings: of which notifications a person gets mail, at once, daily or never; /notifications/unsubscribe takes the link of a mail (RFC 8058)',
      'GET /notifications/subscriptions has title and workflow_id of each record; GET /notifications has time_zone, which PUT /notifications/mail-settings sets alone, too',
      'A user has a language, of mails to them: that of Accept-Language at the sign-up; PATCH /auth/me changes it',
      'A webhook has a format: waymark, or slack, teams or discord for messages to a chat; webhooks carry workspace.import_finished',
      'The trash: deleted decisions, workflows, nodes and messages are listed and restored for 30 days: GET /decisions/trash, /workflows/trash, /threads/trash; POST /decisions/{id}/restore, /workflows/{id}/restore, /nodes/{id}/restore, /threads/messages/{id}/restore',
      'Programs sign in at the MCP server by its address alone: GET /auth/grant-request and POST /auth/grants for the page that asks the person, GET /auth/grants and DELETE /auth/grants/{id} for what the person has allowed',
      'The command line signs in by a code that a person enters elsewhere (RFC 8628): /oauth/device_authorization; POST /auth/device, /auth/device/allow and /auth/device/decline for the page that asks the person',
      'A key of a person changes settings for an hour: POST /api-keys and /auth/device/allow with changesSettings; settings_until of a key and settingsUntil in GET /whoami. A key that expires or has a list of addresses raises no role',
      'workspaceId in the body of a message and of PATCH /nodes/{id}, as of other records',
      'GET /workflows takes text, sort and include=outline: counts and a small picture of each graph; a workflow has created_by',
      'GET /metrics takes weeks, of the included history',
      'Views of the decisions and of the audit log, of a person or shared with the workspace: GET, POST, PATCH and DELETE /views; PATCH /views/settings chooses columns, a default view and favourites; a view of decisions can be a board by status. Audit actions view.share and view.unshare; PATCH /auth/me takes a density',
      'GET /decisions and /decisions/facets filter by several tags, of which one must match: tags; POST /batch takes restoreDecision, restoreNode and restoreMessage',
      'GET /people has the names of the members of a workspace for everyone in it',
    ]),
    ...entries('2026-11-29', 'added', [
      'dq-2, a second model of the quality score: PATCH /workspaces/{id} with qualityModel chooses; quality_model of a decision names the one that scored it',
      'Approvals of decisions, bound to the SHA-256 of the text: GET and POST /decisions/{id}/approvals, POST /decisions/{id}/approval-requests; rules for them, off by default: /approval-rules, and approval_rules in an export; 409 APPROVAL_REQUIRED under an enforced rule',
      'Forecasts of several people and agents: PUT /decisions/{id}/forecast, GET /decisions/{id}/forecasts with median and extremized mean; GET /metrics/calibration by forecaster, type and tag; PATCH /workspaces/{id} with hiddenForecasts hides those of others until one has given one’s own',
      'Reviews of accepted decisions: POST /decisions/{id}/reviews, review_by, review_every_months and last_review of a decision, the event decision.reviewed; waitingFor finds those that are due within 14 days',
      'GET /metrics has score_and_success, whether higher quality scores went with success, and include=calibration',
    ]),
    ...entries('2026-11-28', 'added', [
      'An inbox for each person: GET /notifications tells of mentions, replies, assignments, changes of watched records, dates that have come, and faults; /notifications/subscriptions watches or mutes records and workspaces; GET /events says `inbox` when it has changed',
      'An authenticator app (TOTP) as a second factor: /auth/totp; POST /auth/sign-in takes a code, and without one is SECOND_FACTOR_REQUIRED for its users',
      'PATCH /workspaces/{id} with requireSecondFactor: sessions without a second factor are FORBIDDEN with the reason second_factor',
      'HEAD wherever GET is, and OPTIONS, which lists the methods of a path in Allow; both are charged as GET',
      'Location on the 201 of a record that can be read; requiredPlan in PLAN_GATE; error in WWW-Authenticate (RFC 6750)',
      'Cache-Control: private, no-cache beside an ETag, so that a client may store a record and ask again; gzip and Brotli for JSON',
      '/.well-known/api-catalog (RFC 9727)',
      'GET /metrics with include=history,calendar_feed and GET /webhooks/{id} with include=stats: several reads in one',
      'Entries of GET /audit-log have the title of their decision, workflow or node; workspace.import_check, the check of a file with its counts',
    ]),
    ...entries('2026-11-29', 'added', [
      'Queries accept names in snake_case, as bodies do, and a list may repeat its name instead of having commas',
      'Filters have one name each: decisionType, updatedFrom, deletedFrom, and in the audit log createdFrom and createdTo; type, updatedSince, since, from and to stay, deprecated',
      'openapi.json has a description and an example of every schema; lists in queries are arrays of their values, and flags are booleans',
    ]),
    ...entries('2026-11-28', 'changed', [
      'A key of a service account that expires or has a list of addresses makes no webhook, invitation, role or other setting: FORBIDDEN with the reason key_restrictions',
      'A sign-in or sign-up ends the session that the browser had; GET /auth/oidc/start sends a browser that comes from another site to the sign-in page',
      'openapi.json has no patternProperties for names in snake_case and no anyOf in the bodies of decisions, which generators of clients misread; requests are accepted as before',
      'openapi.json has one schema, Error, for all errors, no second schema of a record with the suffix Output, and a tag for each resource',
    ]),
    ...entries('2026-11-27', 'added', [
      'GET /threads/{nodeId} sorts messages: sort=-created_at returns the newest first',
      'workspaceId in the query of every operation on nodes, edges and threads; another workspace than that of the record is refused',
    ]),
    ...entries('2026-11-27', 'changed', [
      'An edge from a node to itself is a VALIDATION_ERROR, and so is an unknown workflowId in the body of a new node or edge',
      'Every VALIDATION_ERROR has issues; a URL that is too long is 414 URI_TOO_LONG; DATABASE_NOT_CONFIGURED has no Retry-After',
      'E-mail addresses have at most 64 characters before the @',
      'POST /presence refuses a workflow of another workspace',
    ]),
    ...entries('2026-11-26', 'added', [
      'POST /batch: up to 100 changes of decisions, nodes, edges and messages in one request, at a tenth of the cost; POST /nodes takes an id',
      'Decisions and nodes have an external_id, unique in their workspace, and lists filter by externalId: PUT /decisions/by-external-id/{externalId} and PUT /nodes/by-external-id/{externalId} create or change the record, and a repeat changes nothing',
      'GET /decisions/calendar-token: whether you have a calendar feed, without its address',
    ]),
    ...entries('2026-11-25', 'added', [
      'Service accounts, programs with a role: /service-accounts. Their API keys, created with serviceAccountId, may change settings as the role may; GET /api-keys filters by serviceAccountId',
      'Actors and authors of the type service_account; GET /rate-limits answers keys of service accounts, with session: null',
    ]),
    ...entries('2026-11-24', 'added', [
      'The events of a workspace with their data and consecutive numbers, kept for 30 days: GET /event-log, which can wait for the next event; how far programs have read it: /event-log/offsets',
      'GET /decisions and /decisions/facets filter by several statuses, outcomes and authors, by the times of creation and expectation, and by updatedSince',
      'The decisions that were deleted in the last 60 days, for programs that keep a copy: /decisions/deleted',
      'The nodes and edges of all workflows of a workspace: /workflows/nodes, /workflows/edges',
      'GET /events tells everyone of imported records, no longer only admins and owners',
      'POST /mcp, beside /v1: an MCP server whose tools call operations of this API; audit entries of its changes have via: mcp',
    ]),
    ...entries('2026-11-23', 'added', [
      'GET /decisions/facets: how many decisions match, and the tags, types and authors to filter by, with counts',
      'GET /decisions filters by text in the title and by author; GET /decisions/export-csv by ids',
      'GET /audit-log/facets: the actions, kinds of records and actors to filter by, and how long entries are kept; GET /audit-log filters by resourceId',
      'POST /presence: who views a workflow at the moment; GET /events tells the changes',
      'GET /audit-log filters by ip, for those who see addresses',
      'GET /threads: how many messages nodes have',
      'POST /webhooks/{id}/test sends an example of the event in the query; such payloads have test: true',
      'imported_by of decisions, outcomes, history entries and messages names who imported the record',
      'Verification of the audit log: the gaps after which an operator resumed a chain (segments), and why a chain accepts no entries (stopped)',
      'Audit entries name in withheld what only admins and owners get: addresses, changes of settings and the salt',
      'Audit entries with erased details carry the signed record of the erasure',
      'A mailed link replaces a forgotten password where the installation sends mail: /auth/password/forgot, /auth/password/reset; /auth/methods says so in password_reset',
      'Passkeys: /auth/passkeys, sign-in with one at /auth/sign-in/passkey; /auth/methods says in passkeys whether browsers allow them',
      'PATCH /auth/me changes the user’s name',
      'A mailed link confirms a new address of a user: /auth/email, /auth/email/confirm',
      'Invitations of an address are mailed where the installation sends mail: mail of an invitation and mail_refused_at of a member say what became of it',
    ]),
    ...entries('2026-11-23', 'changed', [
      'POST /members answers with an invitation and its link; the person becomes a member by accepting it',
      'A removed member’s API keys are revoked, unless DELETE /members/{id} has keys=keep',
      'A calendar feed ends when its user changes the password; /auth/methods says who may change plans',
      'Webhook deliveries carry X-Waymark-Event, -Delivery, -Timestamp and -Signature unless the operator sets another prefix',
      'FORBIDDEN and RATE_LIMITED errors have a reason; an unknown action of the audit log is refused',
      'workspaceId is optional: the default is the workspace of the key, or the only one of the session’s user',
      'Every 401 carries WWW-Authenticate; a method that HTTP does not define is 501 NOT_IMPLEMENTED',
      'A webhook’s URL is written in full, as https://host:port/path; the description states its form, and the form of texts',
      'If-Match compares strongly: a weak tag (W/) never matches',
      'Blank titles are refused, and integers in a query that are not plain digits, such as 1e2, 05 and +5',
      'Times with t and z in lower case, and more e-mail addresses, are accepted',
    ]),
    ...entries('2026-11-22', 'changed', [
      'A whole graph that changes or takes away what is there names its version in If-Match, or *; else 428',
      'A webhook’s maxPerSecond holds for any second, the first included, over all replicas together',
      'A webhook endpoint is disabled for failing on five days, no longer for two failures five days apart',
      'workspace.created is no longer offered to webhooks: no endpoint is older than its workspace',
    ]),
    ...entries('2026-11-21', 'added', [
      'Accounts: /auth/sign-up, /auth/sign-in, /auth/sign-out, /auth/methods, /auth/me, /auth/password, /auth/sessions; /workspaces with their plans, /members, /api-keys',
      'Single sign-on with OpenID Connect: /auth/oidc; invitations: /invitations, /auth/invitation',
      'Rate limits as they stand: /rate-limits; live changes as server-sent events: /events',
      'Decisions: /decisions/{id}/outcomes, /decisions/{id}/quality, /decisions/{id}/history, drafts scored by /quality; filters and sorting of /decisions',
      'Decisions: /decisions/{id}/links with their chain; a calendar feed of what is due: /decisions.ics, /decisions/calendar-token',
      'The workspace metric and calibration: /metrics, week by week /metrics/history',
      'Workflows with whole graphs, also acyclic ones: /workflows',
      'Threads: a message is read, edited and deleted at /threads/{nodeId}/messages/{id}',
      'Audit log: filters by actor and time, NDJSON at /audit-log/export, verification at /audit-log/verify',
      'Webhooks: signed deliveries with retries, replay and secret rotation at /webhooks, /deliveries',
      'Import of exported workspaces and Markdown decisions: /imports; decisions as Markdown: /export/madr',
      'This description at /openapi.json, its changes at /changelog',
      'Idempotency-Key on POST; ETag, If-Match and If-None-Match',
    ]),
    ...entries('2026-04-29', 'added', [
      'X-Request-Id and X-API-Version headers',
      'Two-tier bearer rate limit',
      'X-RateLimit-Limit and X-RateLimit-Remaining',
      'whoami returns rate-limit headers',
    ]),
  ],
  deprecated: [],
  removed: [],
};
