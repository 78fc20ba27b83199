import type { Indexes } from '@waymark/service-kit/store';

export const NOTIFICATIONS = 'notifications';
export const SUBSCRIPTIONS = 'subscriptions';
export const SUBJECTS = 'subjects';
export const MESSAGES = 'messages';
export const MAIL_SETTINGS = 'mail_settings';
export const FILL = 'fill';

export const indexes: Indexes = {
  [NOTIFICATIONS]: [
    { key: { workspace_id: 1, user_id: 1, cause: 1 }, unique: true },
    { key: { user_id: 1, listed_at: -1, _id: -1, workspace_id: 1 } },
    { key: { user_id: 1, workspace_id: 1, listed_at: -1, _id: -1, read_at: 1 } },
    { key: { user_id: 1, read_at: 1, listed_at: -1, _id: -1, workspace_id: 1 } },
    { key: { workspace_id: 1, record_id: 1 } },
    { key: { workspace_id: 1, message_id: 1 } },
    { key: { mail_at: 1 }, partialFilterExpression: { mail_at: { $type: 'string' } } },
    { key: { digest_at: 1, user_id: 1 }, partialFilterExpression: { digest_at: { $type: 'string' } } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  [SUBSCRIPTIONS]: [
    { key: { workspace_id: 1, user_id: 1, record_id: 1 }, unique: true },
    { key: { workspace_id: 1, record_id: 1 } },
    { key: { user_id: 1, workspace_id: 1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  [SUBJECTS]: [
    { key: { workspace_id: 1, _id: 1 } },
    { key: { next_due_at: 1 }, partialFilterExpression: { next_due_at: { $type: 'string' } } },
  ],
  [MAIL_SETTINGS]: [],
  [FILL]: [],
  [MESSAGES]: [{ key: { workspace_id: 1, subject_id: 1, place: 1 } }],
};

/** The `listed_at` of a removed notification, which stays until it expires: its cause is not told again. */
export const REMOVED = '9999';
/** Removes notifications from the inboxes, with what they quote. */
export const toRemove = { $set: { listed_at: REMOVED, excerpt: null } };

/** The collections that are deleted with a workspace, and the field that names the workspace. */
export const ownedCollections = {
  [NOTIFICATIONS]: 'workspace_id',
  [SUBSCRIPTIONS]: 'workspace_id',
  [MESSAGES]: 'workspace_id',
  [SUBJECTS]: 'workspace_id',
};
