import { z } from 'zod';
import { example, withDefault } from '../schema/fields.ts';
import { component, integer, ipText, personName, time, userAgentText, uuid } from '../schema/types.ts';

export const Actor = component('Actor', 'Who did something', {
  type: z.enum(['api_key', 'service_account', 'session', 'service', 'anonymous']),
  id: z.string().nullable().describe('The id of the key, the service account or the user'),
  name: personName().nullable(),
  key_prefix: example(z.string().nullable(), 'wmk_J9A216'),
});
export type Actor = z.output<typeof Actor>;

/** The actions that an entry can record: audited operations, and actions of services and operators. */
export const auditActions = [
  'api_key.create',
  'api_key.revoke',
  'api_key.rotate',
  'audit_log.export',
  'calendar_feed.create',
  'calendar_feed.revoke',
  'decision.abstain',
  'decision.approval_request',
  'decision.approval_void',
  'decision.approve',
  'decision.create',
  'decision.delete',
  'decision.export',
  'decision.forecast',
  'decision.object',
  'decision.restore',
  'decision.review',
  'decision.update',
  'delivery.replay',
  'edge.create',
  'edge.delete',
  'invitation.accept',
  'invitation.create',
  'invitation.revoke',
  // Found in entries from before members were invited.
  'member.add',
  'member.remove',
  'member.update',
  'node.create',
  'node.delete',
  'node.restore',
  'node.update',
  'service_account.create',
  'service_account.delete',
  'service_account.update',
  'thread.message_create',
  'thread.message_delete',
  'thread.message_react',
  'thread.message_reopen',
  'thread.message_resolve',
  'thread.message_unreact',
  'thread.message_restore',
  'thread.message_update',
  'user.create',
  'user.email_change',
  'user.erase',
  'user.identity_link',
  'user.passkey_add',
  'user.passkey_remove',
  'user.passkey_update',
  'user.password_change',
  'user.recover_password',
  'user.recovery_codes_renew',
  'user.session_end',
  'user.sign_in',
  'user.sign_out',
  'user.sign_up',
  'user.totp_add',
  'user.totp_remove',
  'user.update',
  'view.share',
  'view.unshare',
  'webhook.create',
  'webhook.delete',
  'webhook.disable',
  'webhook.replay',
  'webhook.rotate_secret',
  'webhook.test',
  'webhook.update',
  'workflow.create',
  'workflow.delete',
  'workflow.graph_replace',
  'workflow.restore',
  'workflow.update',
  'workspace.approval_rules',
  'workspace.create',
  'workspace.delete',
  'workspace.export',
  'workspace.export_madr',
  'workspace.import',
  'workspace.import_check',
  'workspace.plan_change',
  'workspace.update',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The types of records that an entry, and the event that it records, can be about. */
export const resourceTypes = [
  'api_key',
  'audit_log',
  'calendar_feed',
  'decision',
  'delivery',
  'edge',
  'import',
  'invitation',
  'member',
  'message',
  'node',
  'service_account',
  'user',
  'view',
  'webhook',
  'workflow',
  'workspace',
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** The types whose records every reader of a workspace can read; the records of all others are settings. */
const readable: readonly string[] = [
  'decision',
  'edge',
  'import',
  'message',
  'node',
  'view',
  'workflow',
  'workspace',
] satisfies ResourceType[];
export const isSetting = (resourceType: string): boolean => !readable.includes(resourceType);

export const Author = Actor.pick({ type: true, id: true, name: true }).meta({
  id: 'Author',
  description: 'Who wrote something',
});
export type Author = z.output<typeof Author>;

const IMPORTED =
  'Who imported the record; its authors and times are then those of the file. Null for other records';

/** The field that marks a record of an import. An import sets it, whatever its file contains. */
export const importedBy = () => withDefault(Author.nullable().describe(IMPORTED), null);

/** The field that names the person behind an author. */
export const keyPerson = (author: string) =>
  withDefault(uuid().nullable().describe(`The person whose API key is the ${author}; else null`), null);

export const Changes = z
  .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
  .describe('Changed fields with their values before and after');
export type Changes = z.output<typeof Changes>;

const facet = () => z.array(z.object({ value: z.string(), count: integer() }));

export const AuditFacets = component('AuditFacets', {
  actions: facet(),
  resource_types: facet(),
  actors: z.array(z.object({ ...Actor.omit({ type: true }).shape, id: z.string(), count: integer() })),
  retention_days: integer()
    .min(1)
    .nullable()
    .describe('After how many days entries are removed, which the operator sets; null for never'),
});
export type AuditFacets = z.output<typeof AuditFacets>;

export const AuditErasure = component(
  'AuditErasure',
  'Proves that Waymark itself erased the personal details of an entry',
  {
    at: time(),
    key_id: z.string(),
    signature: z.string().describe('Ed25519 over `erasure\\ndetails_hash\\nat`, base64url'),
  },
);
export type AuditErasure = z.output<typeof AuditErasure>;

/** The fields of an entry that only callers get who may read settings. */
export const withheldFields = ['changes', 'ip', 'user_agent', 'details_salt'] as const;

/**
 * Both hashes are SHA-256 in hex over canonical JSON (RFC 8785). `details_hash`: details_salt, then `{name,
 * key_prefix, ip, user_agent, changes}`. `hash`: all else that the entry has, with the
 * actor's type and id, and details_hash.
 */
export const AuditEntry = component(
  'AuditEntry',
  'An entry of the audit log, in the chain of the workspace',
  {
    id: uuid().describe('The id of the event that the entry records'),
    seq: integer().describe('The position in the chain: 1, 2, 3 … without a gap'),
    workspace_id: uuid()
      .nullable()
      .describe('Null in the chain of a user, which has actions outside any workspace'),
    actor: Actor,
    action: example(z.string(), 'decision.update'),
    resource_type: z.string(),
    resource_id: z.string().nullable(),
    title: z
      .string()
      .optional()
      .describe(
        'The title that the decision, workflow or node has now. Not part of the hashes; absent in exports, and while search is unavailable',
      ),
    changes: Changes.nullable(),
    request_id: z.string().nullable(),
    ip: ipText(),
    user_agent: userAgentText(),
    via: example(
      z
        .string()
        .optional()
        .describe(
          'Through what the request came, if not directly to the API: `mcp`, a tool of the MCP server',
        ),
      'mcp',
    ),
    created_at: time(),
    details_salt: z
      .string()
      .nullable()
      .describe(
        '16 random bytes, base64url. Erasure sets it to null, with the actor’s name and prefix, ip, user_agent and changes',
      ),
    details_hash: z
      .string()
      .describe('SHA-256 over details_salt and the personal details; survives their erasure'),
    hash: z.string().describe('SHA-256 over the entry without hash, the personal details and their salt'),
    prev_hash: z
      .string()
      .describe('The hash of the previous entry; 64 zeros in the first, after a gap the hash of the segment'),
    erasure: AuditErasure.optional().describe('Only with erased details'),
    withheld: z
      .array(z.enum(withheldFields))
      .optional()
      .describe(
        'The fields that are null only for this caller, who has no role or one below admin. Such an entry proves its `hash`, not its `details_hash`',
      ),
  },
);
export type AuditEntry = z.output<typeof AuditEntry>;

export const AuditHead = component(
  'AuditHead',
  'Save it: an export that does not match a saved head shows that the past was rewritten',
  {
    chain: z.string(),
    seq: integer(),
    hash: z.string(),
    key_id: z.string(),
    signature: z.string().describe('Ed25519 over `chain\\nseq\\nhash`, base64url'),
  },
);
export type AuditHead = z.output<typeof AuditHead>;

export const AuditCheckpoint = component(
  'AuditCheckpoint',
  'The start of a chain whose older entries retention removed',
  {
    chain: z.string(),
    seq: integer(),
    hash: z
      .string()
      .describe(
        'The hash of entry `seq`, the last that was removed: the prev_hash of the first that remains',
      ),
    at: time().describe('When retention removed the entries up to `seq`'),
    key_id: z.string(),
    signature: z.string().describe('Ed25519 over `checkpoint\\nchain\\nseq\\nhash\\nat`, base64url'),
  },
);
export type AuditCheckpoint = z.output<typeof AuditCheckpoint>;

export const chainFaults = ['missing', 'invalid', 'older'] as const;
const chainFault = () =>
  z
    .enum(chainFaults)
    .describe('`missing` or `invalid`: the signed head; `older`: the chain is older than the event stream');

export const AuditSegment = component(
  'AuditSegment',
  'The start of a chain after a gap: what was lost or changed. The hash over its signed text is the first prev_hash',
  {
    chain: z.string(),
    after_seq: integer().describe('The last entry before the gap that is proven; 0 for none'),
    after_hash: z.string().describe('Its hash; 64 zeros for none'),
    until_seq: integer().describe('The last position of the gap: the segment begins at the next one'),
    known_seq: integer().nullable().describe('The last entry that the event stream named, if any'),
    known_hash: z.string().nullable(),
    reason: chainFault(),
    stopped_at: time(),
    at: time().describe('When an operator resumed the chain'),
    key_id: z.string(),
    signature: z
      .string()
      .describe('Ed25519 over `segment` and the fields above in this order, joined by newlines, base64url'),
  },
);
export type AuditSegment = z.output<typeof AuditSegment>;

export const AuditVerification = component('AuditVerification', {
  valid: z.boolean(),
  entries: integer().describe('Valid entries, from the first that remains'),
  erased: integer().describe('Valid entries whose personal details were erased'),
  checkpoint: AuditCheckpoint.nullable().describe(
    'The start of the chain; null when its first entry remains',
  ),
  segments: z.array(AuditSegment).describe('The gaps after which an operator resumed the chain'),
  stopped: z
    .object({
      reason: chainFault(),
      at: time(),
      held_events: integer().describe('Events that wait until an operator resumes the chain'),
    })
    .nullable()
    .describe('Why the chain accepts no entries; null while it does'),
  head: AuditHead.nullable(),
  public_key: z.string().describe('The key for the head’s signature: Ed25519, SPKI, base64url'),
  fault: z
    .object({ seq: integer(), reason: z.string() })
    .nullable()
    .describe('The first entry that is not valid'),
});
export type AuditVerification = z.output<typeof AuditVerification>;

export const trashKinds = ['decision', 'workflow', 'node', 'message'] as const;
export type TrashKind = (typeof trashKinds)[number];

export const TrashedRecord = component('TrashedRecord', 'A deleted record that can be restored', {
  kind: z.enum(trashKinds),
  id: uuid(),
  title: z.string().describe('Of a message the beginning of its content'),
  version: integer().describe('The version of the deletion; a restored record has the next one'),
  workflow_id: uuid().nullable().describe('The workflow of a node; null for other records'),
  node_id: uuid().nullable().describe('The node of a message; null for other records'),
  decision_id: uuid().nullable().describe('The decision of a message; null for other records'),
  deleted_at: time(),
  deleted_by: Author,
  purged_at: time().nullable().describe('When it is removed for good; null while an operator holds it'),
});
export type TrashedRecord = z.output<typeof TrashedRecord>;
