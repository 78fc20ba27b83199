import type { EventEnvelope, Subscription } from '@waymark/contracts';
import { membersAmong } from '@waymark/service-kit/http';
import type { NotificationsContext } from './context.ts';
import type { SubjectRecord } from './records.ts';
import type { NewNotification, SubjectChange, SubjectReference } from './store/subjects.ts';

/** A notification before it is known who is told: the person, or null for everyone who watches the record. */
export type Draft = Pick<NewNotification, 'kind' | 'cause'> &
  Partial<Pick<NewNotification, 'message_id' | 'excerpt' | 'actor'>> & {
    user_id: string | null;
    subject: SubjectRecord;
    /** These are told in another way. */
    except?: readonly string[];
  };

type Cause = Pick<EventEnvelope, 'time' | 'actor'> & { workspaceId: string };

/** Changes subjects and tells people what `work` returns, in one transaction. */
export async function changeAndTell(
  service: NotificationsContext,
  cause: Cause,
  references: readonly SubjectReference[],
  work: (known: Map<string, SubjectRecord>, change: SubjectChange) => Promise<readonly Draft[]>,
): Promise<void> {
  const { workspaceId } = cause;
  const told = await service.store.changeSubjects(workspaceId, references, async (known, change) => {
    const drafts = await work(known, change);
    const notifications = await addressed(service, cause, drafts);
    await change.insert(notifications);
    return notifications.map(({ user_id }) => user_id);
  });
  service.announce(told);
}

/** Tells people about a record that has no history here, such as an endpoint. */
export async function tellAbout(
  service: NotificationsContext,
  { workspaceId, time, actor }: Cause,
  userIds: readonly string[],
  draft: Pick<NewNotification, 'kind' | 'cause' | 'record_type' | 'record_id' | 'title'>,
): Promise<void> {
  const levelOf = levelsIn(await service.store.subscriptions.about(workspaceId, [workspaceId]));
  const drafts = userIds
    .filter((user_id) => levelOf(user_id, [workspaceId]) !== 'mute' && !isOwn(actor, user_id))
    .map((user_id) => ({ ...newNotification(workspaceId, user_id, time, actor), ...draft }));
  await service.store.changeSubjects(workspaceId, [], (_, change) => change.insert(drafts));
  service.announce(drafts.map(({ user_id }) => user_id));
}

/** Returns the notifications of drafts: only to members, never of the own act, not to who has muted it. */
async function addressed(
  service: NotificationsContext,
  { workspaceId, time, actor }: Cause,
  drafts: readonly Draft[],
): Promise<NewNotification[]> {
  if (drafts.length === 0) return [];
  const targets = [...new Set(drafts.flatMap(({ subject }) => targetsOf(subject)))];
  const subscriptions = await service.store.subscriptions.about(workspaceId, targets);
  const levelOf = levelsIn(subscriptions);
  const everyone = [...new Set(subscriptions.map(({ user_id }) => user_id))];
  const found = drafts.flatMap(({ user_id, except = [], ...draft }) => {
    const path = targetsOf(draft.subject);
    const userIds =
      user_id === null
        ? everyone.filter((one) => !except.includes(one) && levelOf(one, path) === 'watch')
        : [user_id].filter((one) => levelOf(one, path) !== 'mute');
    const by = draft.actor === undefined ? actor : draft.actor;
    return userIds
      .filter((one) => !isOwn(by, one))
      .map((one) => notificationOf(workspaceId, one, time, by, draft));
  });
  const ids = found.map(({ user_id }) => user_id);
  const present = await membersAmong(service.call, workspaceId, ids);
  return found.filter(({ user_id }) => present.has(user_id));
}

/** Returns the level of a user for a record: that of the first of `path` to which the user has one. */
export function levelsIn(subscriptions: readonly (Subscription & { user_id: string })[]) {
  const levels = new Map(
    subscriptions.map(({ user_id, record_id, level }) => [`${user_id} ${record_id}`, level]),
  );
  return (userId: string, path: readonly string[]) =>
    path.map((target) => levels.get(`${userId} ${target}`)).find((level) => level !== undefined);
}

/** The record and what it belongs to, which can be watched or muted as well. */
const targetsOf = ({ id, workflow_id, workspace_id }: SubjectRecord) =>
  workflow_id === null ? [id, workspace_id] : [id, workflow_id, workspace_id];

const isOwn = (actor: NewNotification['actor'], userId: string) =>
  actor?.type === 'session' && actor.id === userId;

function newNotification(workspace_id: string, user_id: string, time: string, by: NewNotification['actor']) {
  const actor = by && by.type !== 'service' ? { type: by.type, id: by.id, name: by.name } : null;
  const dates = { created_at: time, listed_at: time, read_at: null, snoozed_until: null };
  return {
    workspace_id,
    user_id,
    actor,
    ...dates,
    workflow_id: null,
    message_id: null,
    excerpt: null,
    title: null,
  };
}

function notificationOf(
  workspaceId: string,
  userId: string,
  time: string,
  by: NewNotification['actor'],
  { kind, cause, subject, message_id = null, excerpt = null }: Omit<Draft, 'user_id'>,
): NewNotification {
  const { id: record_id, type: record_type, workflow_id } = subject;
  const about = { kind, cause, record_type, record_id, workflow_id, message_id, excerpt };
  return { ...newNotification(workspaceId, userId, time, by), ...about };
}
