import {
  type EventType,
  events,
  HIDDEN_CHARACTERS,
  type WebhookPayload,
  withNames,
} from '@waymark/contracts';

/** An event for people. All but `what` and `url` is the text of users. */
export interface ChatMessage {
  what: string;
  title: string | null;
  /** A message or a reason, line by line. */
  lines: string[];
  who: string | null;
  url: string;
}

/** The record that an event is about, as far as the console has a page of it. */
export interface Subject {
  kind: 'decision' | 'node' | 'workflow' | 'webhook';
  id: string;
  workflowId: string | null;
}

/** The facts that a payload lacks: names and titles of its workspace, and the address of the console. */
export interface Known {
  titles: Record<string, string>;
  workflows: Record<string, string>;
  names: ReadonlyMap<string, { name: string }>;
  who?: string | undefined;
  publicUrl: string;
}

type Field =
  | 'id'
  | 'title'
  | 'name'
  | 'status'
  | 'content'
  | 'reason'
  | 'verdict'
  | 'started_by'
  | `${string}_id`;
/** The fields of event data that messages use. The consumer has checked the data against their schemas. */
export type Data = { [name in Field]?: string | null } & {
  decision?: { id: string; title: string };
  workflow?: { id: string; title: string };
  webhook?: { id: string };
  outcome?: { outcome: string };
  review?: { result: string; note: string | null };
};

/** The most characters of each text: with these limits, each message is below the limit of its chat. */
const TITLE_CHARACTERS = 200;
const NAME_CHARACTERS = 80;
const TEXT_CHARACTERS = 400;
const LINES_MAX = 10;

/** The events whose data says more than the summary of their type. */
const WHAT: Partial<Record<string, (data: Data) => string>> = {
  ping: () => 'Waymark can send messages here',
  'decision.updated': ({ status }) => `The status of a decision is now ${status}`,
  'decision.outcome_logged': ({ outcome }) => `The outcome of a decision is ${outcome?.outcome}`,
  'decision.reviewed': ({ review }) => `A decision was reviewed: ${review?.result}`,
};

/** Returns the record that an event is about; null where the console has no page of it. */
export function subjectOf({ type, data }: Pick<WebhookPayload, 'type' | 'data'>): Subject | null {
  const found = data as Data;
  const own = (kind: string) => (type.startsWith(`${kind}.`) ? found.id : null);
  const workflowId = found.workflow_id ?? found.workflow?.id ?? own('workflow') ?? null;
  const ids = {
    decision: found.decision_id ?? found.decision?.id ?? own('decision'),
    node: found.node_id ?? own('node'),
    workflow: workflowId,
    webhook: found.webhook_id ?? found.webhook?.id ?? own('webhook'),
  };
  const known = Object.entries(ids).find(([, id]) => typeof id === 'string');
  return known ? { kind: known[0] as Subject['kind'], id: known[1]!, workflowId } : null;
}

/** Returns an event as a message: what happened to which record, who did it, and where to read on. */
export function chatMessage(payload: WebhookPayload, known: Known): ChatMessage {
  const { type, test } = payload;
  const data = payload.data as Data;
  const subject = subjectOf(payload);
  const summary = events[type as EventType]?.summary.split(';')[0];
  const what = WHAT[type]?.(data) ?? summary ?? type;
  const title = data.decision?.title ?? data.workflow?.title ?? data.title ?? data.name;
  const text = data.content ?? (data.verdict && data.reason) ?? data.review?.note ?? '';
  const named = withNames(text, (id) => known.names.get(id)?.name ?? '…');
  const who = known.who ?? known.names.get(data.started_by ?? '')?.name;
  return {
    what: test ? `Test: ${what}` : what,
    title: oneLine(title ?? known.titles[subject?.id ?? ''] ?? '', TITLE_CHARACTERS) || null,
    lines: cut(named, TEXT_CHARACTERS)
      .split(/\r?\n/)
      .map((line) => oneLine(line))
      .filter(Boolean)
      .slice(0, LINES_MAX),
    who: oneLine(who ?? '', NAME_CHARACTERS) || null,
    url: `${known.publicUrl.replace(/\/+$/, '')}/w/${payload.workspace_id}${pageOf(payload, known)}`,
  };
}

/** Returns the page of the console about an event; for a deleted record, the list that contained it. */
function pageOf(payload: WebhookPayload, { workflows }: Known): string {
  const subject = subjectOf(payload);
  if (payload.type === 'workspace.import_finished') return '/transfer';
  if (subject === null) return '';
  const { kind, id } = subject;
  const workflowId = subject.workflowId ?? workflows[id];
  const isGone = payload.type === `${kind}.deleted`;
  if (kind !== 'node') return isGone ? `/${kind}s` : `/${kind}s/${id}`;
  if (!workflowId) return '/workflows';
  return `/workflows/${workflowId}${isGone ? '' : `?node=${id}`}`;
}

/** Hidden characters without which words of some scripts, and emoji, look different. */
const JOINERS = '\u200c\u200d\ufe0f';

/** Removes other hidden characters, which could show another text than the one that programs read. */
function oneLine(text: string, most = Number.POSITIVE_INFINITY): string {
  return cut(
    text
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .replace(HIDDEN_CHARACTERS, (character) => (JOINERS.includes(character) ? character : '')),
    most,
  ).trim();
}

/** Shortens a text between two characters, never within one. */
function cut(text: string, most: number): string {
  const characters = [...text.slice(0, 2 * most + 2)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}
