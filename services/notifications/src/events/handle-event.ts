import { type EventEnvelope, type EventType, type NotificationKind, roleReaches } from '@waymark/contracts';
import { z } from 'zod';
import type { HandledEvent, NotificationsContext } from '../context.ts';
import { ofAdmins } from '../records.ts';
import { tellAbout } from '../tell.ts';
import { messageDeleted, messagePosted, messagesImported } from './messages.ts';
import {
  approvalRequested,
  approvalVoided,
  subjectsChanged,
  subjectsDeleted,
  subjectTypes,
} from './subjects.ts';

type Handle = (service: NotificationsContext, event: HandledEvent) => Promise<void>;

const Member = z.object({ user_id: z.string(), role: z.enum(['viewer', 'member', 'admin', 'owner']) });
const Endpoint = z.object({ webhook: z.object({ url: z.string(), description: z.string().nullish() }) });

const Import = z.object({ import_id: z.string(), started_by: z.string().nullable() });
const Key = z.object({
  id: z.string(),
  name: z.string(),
  key_prefix: z.string().optional(),
  expires_at: z.string().nullish(),
  user_ids: z.array(z.string()),
});

const endpointFails =
  (kind: NotificationKind): Handle =>
  async (service, event) => {
    const { workspaceId, subject } = event;
    const { webhook } = Endpoint.parse(event.data);
    const admins = { params: { id: workspaceId }, body: { role: 'admin' as const } };
    const { members } = await service.call('findMembers', admins);
    const about = { kind, record_type: 'webhook', record_id: subject.id } as const;
    const title = webhook.description || new URL(webhook.url).host;
    const userIds = members.map(({ user_id }) => user_id);
    await tellAbout(service, event, userIds, { ...about, cause: `endpoint/${event.id}`, title });
  };

const subjectEnded: Handle = ({ store }, { workspaceId, subject }) =>
  store.inbox.removeAbout(workspaceId, subject.id);

const HANDLERS: Partial<Record<EventType, Handle>> = {
  ...Object.fromEntries(subjectTypes.map((type) => [type, subjectsChanged])),
  'decision.approval_requested': approvalRequested,
  'decision.approval_voided': approvalVoided,
  'decision.deleted': subjectsDeleted,
  'node.deleted': subjectsDeleted,
  'nodes.deleted': subjectsDeleted,
  'workflow.deleted': subjectsDeleted,
  'thread.message_created': messagePosted,
  'thread.message_updated': messagePosted,
  'thread.message_deleted': messageDeleted,
  'messages.imported': messagesImported,

  'webhook.failing': endpointFails('endpoint_failing'),
  'webhook.disabled': endpointFails('endpoint_disabled'),
  async 'workspace.import_finished'(service, event) {
    const { import_id, started_by } = Import.parse(event.data);
    const about = { kind: 'import_finished', record_type: 'import', record_id: import_id } as const;
    const userIds = started_by === null ? [] : [started_by];
    await tellAbout(service, event, userIds, { ...about, cause: `import/${import_id}`, title: null });
  },
  async 'api_key.expiring'(service, event) {
    const { id, name, key_prefix, expires_at, user_ids } = Key.parse(event.data);
    const excerpt = key_prefix ? `${key_prefix}…` : null;
    const told = { title: name, excerpt, key_expires_at: expires_at ?? null };
    const about = { kind: 'key_expiring', record_type: 'api_key', record_id: id } as const;
    await tellAbout(service, event, user_ids, { ...about, cause: `key/${id}`, ...told });
  },
  'api_key.revoked': subjectEnded,
  'api_key.rotated': subjectEnded,
  'webhook.deleted': subjectEnded,

  async 'workspace.member_removed'({ store, announce }, { workspaceId, data, time }) {
    const { user_id } = Member.parse(data);
    await store.inbox.removeOf(workspaceId, user_id, time);
    await store.subscriptions.removeOf(workspaceId, user_id, time);
    announce([user_id]);
  },
  async 'workspace.member_updated'({ store, announce }, { workspaceId, data, time }) {
    const { user_id, role } = Member.parse(data);
    if (roleReaches(role, 'admin')) return;
    await store.inbox.removeOf(workspaceId, user_id, time, [...ofAdmins, 'key_expiring']);
    announce([user_id]);
  },
};

export const handledTypes = Object.keys(HANDLERS) as EventType[];

/** Returns the handler of the consumer. It may get an event again, and in any order. */
export function eventHandler(service: NotificationsContext) {
  return async (event: EventEnvelope): Promise<void> => {
    const { workspace_id: workspaceId } = event;
    if (workspaceId === null || (await service.workspaces.deletedAmong([workspaceId])).size > 0) return;
    // A notification of a clock that is ahead would not be listed until then.
    const time = new Date(Math.min(Date.parse(event.time), service.now())).toISOString();
    await HANDLERS[event.type]!(service, { ...event, workspaceId, time });
  };
}
