import { defineTexts } from './define-texts.ts';
import { plural } from './format.ts';

/** The notifications of the user, and their records. */
export const inboxTexts = defineTexts('inbox', {
  title: 'Inbox',
  open: (unread: number) =>
    unread === 0 ? 'Inbox' : plural(unread, { one: 'Inbox, 1 unread', other: 'Inbox, # unread' }),
  keys: 'j and k move between the rows, Enter opens one, e marks it as read or unread.',
  onlyUnread: 'Only unread',
  readAll: 'Mark all as read',
  markRead: 'Mark as read',
  markUnread: 'Mark as unread',
  mute: 'Mute',
  snooze: 'Snooze',
  snoozes: { hour: 'For an hour', tomorrow: 'Until tomorrow morning', week: 'For a week' },
  nothing: 'Nothing waits for you',
  nothingHint:
    'Here you are told of replies to you, what is assigned to you, dates that have come, and changes of what you watch.',
  somebody: 'Somebody',
  kinds: {
    mention: (who: string) => `${who} mentioned you`,
    reply: (who: string) => `${who} wrote a message`,
    assignment: (who: string) => `${who} assigned you`,
    change: (who: string) => `${who} changed what you watch`,
    approval_requested: (who: string) => `${who} asks for your approval`,
    approval_voided: (who: string) => `${who} changed the text after your verdict`,
    outcome_overdue: (_: string): string => 'The outcome of a decision is due',
    review_due: (_: string): string => 'The review of a decision is due',
    import_finished: (_: string): string => 'Your import has ended',
    key_expiring: (_: string): string => 'An API key expires soon',
    endpoint_failing: (_: string): string => 'A webhook endpoint is failing',
    endpoint_disabled: (_: string): string => 'A webhook endpoint was disabled',
  },
  records: {
    workspace: 'Workspace',
    decision: 'Decision',
    workflow: 'Workflow',
    node: 'Node',
    import: 'Import',
    api_key: 'API key',
    webhook: 'Webhook endpoint',
  },
  watch: {
    label: 'Tell me of',
    concerning: 'What concerns me',
    everything: 'Every change and message',
    nothing: 'Nothing',
    ofWorkflow: 'Notifications about this workflow',
  },
  subscriptions: {
    title: 'What you watch and have muted',
    columns: ['Record', 'Kind', 'Workspace', 'You are told of', 'Actions'],
    end: { watch: 'Stop watching', mute: 'Unmute' },
    endOf: (act: string, name: string) => `${act}: ${name}`,
    ended: {
      watch: (name: string) => `You no longer watch “${name}”.`,
      mute: (name: string) => `“${name}” is no longer muted.`,
    },
    hint: 'A record without a choice follows its workflow, then its workspace. Otherwise you are told what concerns you.',
    none: 'You watch nothing and have muted nothing. Each record has the choice on its page.',
  },
});
