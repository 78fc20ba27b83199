import type { EventEnvelope } from '@waymark/contracts';
import { membersAmong } from '@waymark/service-kit/http';
import type { NotificationsContext } from './context.ts';
import type { StoredSubscription, SubjectRecord } from './records.ts';
import type { NewNotification, SubjectChange, SubjectReference } from './store/subjects.ts';

/** A notification before it is known who is told: the person, or null for everyone who watches the record. */
export type Draft = Pick<NewNotification, 'kind' | 'cause'> &
  Partial<Pick<NewNotification, 'message_id' | 'excerpt' | 'actor' | 'title' | 'key_expires_at'>> & {
    user_id: string | null;
    subject: Pick<SubjectRecord, 'id' | 'workflow_id'> & { type: NewNotification['record_type'] };
    /** The people who are told in another way. */
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
  if (told.length > 0) service.checkpoint('told');
  service.announce(told);
}

/** Returns the notifications of drafts: only to members, never of the own act, not to who has muted it. */
async function addressed(
  service: NotificationsContext,
  cause: Cause,
  drafts: readonly Draft[],
): Promise<NewNotification[]> {
  if (drafts.length === 0) return [];
  const { workspaceId, actor } = cause;
  const targetsOf = ({ id, workflow_id }: Draft['subject']) => withParents(id, workflow_id, workspaceId);
  const targets = [...new Set(drafts.flatMap(({ subject }) => targetsOf(subject)))];
  const subscriptions = await service.store.subscriptions.about(workspaceId, targets);
  const levelOf = levelsIn(subscriptions);
  const everyone = [...new Set(subscriptions.map(({ user_id }) => user_id))];
  const found = drafts.flatMap(({ user_id, subject, except = [], actor: by = actor, ...about }) => {
    const path = targetsOf(subject);
    const { type: record_type, id: record_id, workflow_id } = subject;
    const userIds =
      user_id === null
        ? everyone.filter((one) => !except.includes(one) && levelOf(one, path) === 'watch')
        : [user_id].filter((one) => levelOf(one, path) !== 'mute');
    return userIds
      .filter((one) => !isOwn(by, one))
      .map((one) => newNotification(cause, one, by, { ...about, record_type, record_id, workflow_id }));
  });
  const ids = found.map(({ user_id }) => user_id);
  const present = await membersAmong(service.call, workspaceId, ids);
  return found.filter(({ user_id }) => present.has(user_id));
}

/** Returns the level of a user for a record: that of the first of `path` to which the user has one. */
export function levelsIn(subscriptions: readonly (StoredSubscription & { user_id: string })[]) {
  const levels = new Map(
    subscriptions.map(({ user_id, record_id, level }) => [`${user_id} ${record_id}`, level]),
  );
  return (userId: string, path: readonly string[]) =>
    path.map((target) => levels.get(`${userId} ${target}`)).find((level) => level !== undefined);
}

/** The record and its parents, which can be watched or muted as well. */
export const withParents = (id: string, workflowId: string | null, workspaceId: string) =>
  workflowId === null ? [id, workspaceId] : [id, workflowId, workspaceId];

const isOwn = (actor: NewNotification['actor'], userId: string) =>
  actor?.type === 'session' && actor.id === userId;

function newNotification(
  { workspaceId, time }: Cause,
  user_id: string,
  by: NewNotification['actor'],
  about: Partial<NewNotification> & Pick<NewNotification, 'kind' | 'cause' | 'record_type' | 'record_id'>,
): NewNotification {
  const actor = by && by.type !== 'service' ? { type: by.type, id: by.id, name: by.name } : null;
  const dates = { created_at: time, listed_at: time, read_at: null, snoozed_until: null };
  const nothing = { workflow_id: null, message_id: null, excerpt: null, key_expires_at: null, title: null };
  return { workspace_id: workspaceId, user_id, actor, ...dates, ...nothing, ...about };
}
