import { type EventEnvelope, type EventType, type NotificationKind, roleReaches } from '@waymark/contracts';
import { z } from 'zod';
import type { HandledEvent, NotificationsContext } from '../context.ts';
import { ofAdmins } from '../records.ts';
import { changeAndTell, type Draft } from '../tell.ts';
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

/** Tells people about a record that has no history here, such as an endpoint. */
const tellAbout = (
  service: NotificationsContext,
  event: HandledEvent,
  userIds: readonly string[],
  subject: Omit<Draft['subject'], 'workflow_id'>,
  draft: Pick<Draft, 'kind' | 'cause' | 'title' | 'excerpt' | 'key_expires_at'>,
) =>
  changeAndTell(service, event, [], async () =>
    userIds.map((user_id) => ({ ...draft, user_id, subject: { ...subject, workflow_id: null } })),
  );

const endpointFails =
  (kind: NotificationKind): Handle =>
  async (service, event) => {
    const { workspaceId, subject } = event;
    const { webhook } = Endpoint.parse(event.data);
    const admins = { params: { id: workspaceId }, body: { role: 'admin' as const } };
    const { members } = await service.call('findMembers', admins);
    const title = webhook.description || new URL(webhook.url).host;
    const userIds = members.map(({ user_id }) => user_id);
    const draft = { kind, cause: `endpoint/${event.id}`, title };
    await tellAbout(service, event, userIds, { type: 'webhook', id: subject.id }, draft);
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
    const userIds = started_by === null ? [] : [started_by];
    const draft = { kind: 'import_finished', cause: `import/${import_id}` } as const;
    await tellAbout(service, event, userIds, { type: 'import', id: import_id }, draft);
  },
  async 'api_key.expiring'(service, event) {
    const { id, name, key_prefix, expires_at, user_ids } = Key.parse(event.data);
    const excerpt = key_prefix ? `${key_prefix}…` : null;
    const draft = { kind: 'key_expiring', cause: `key/${id}`, title: name, excerpt } as const;
    const subject = { type: 'api_key', id } as const;
    await tellAbout(service, event, user_ids, subject, { ...draft, key_expires_at: expires_at ?? null });
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
