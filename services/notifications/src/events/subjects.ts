import { type EventType, type NodeSummary, workflowDefaults } from '@waymark/contracts';
import { z } from 'zod';
import type { HandledEvent, NotificationsContext } from '../context.ts';
import { nextDue } from '../due/next-due.ts';
import type { SubjectRecord } from '../records.ts';
import { changeAndTell, type Draft } from '../tell.ts';

const SUBJECTS_AT_ONCE = 500;
const uuid = z.uuid();
/** A person by id; a free text names nobody who can be told. */
const person = (value: unknown): string | null => uuid.safeParse(value).data?.toLowerCase() ?? null;

const listed = () => z.array(z.unknown()).default([]);
const idsIn = (values: unknown[]) => [...new Set(values.flatMap((one) => person(one) ?? []))];

const Titled = z.object({ id: z.string(), title: z.string(), version: z.number() });
const Decision = Titled.extend({
  status: z.string(),
  outcome: z.string(),
  expected_by: z.string().nullish(),
  review_by: z.string().nullish(),
  created_by: z.string(),
  created_by_person: z.string().nullish(),
  deciders: listed(),
  consulted: listed(),
  informed: listed(),
});
const Node = Titled.extend({
  workflow_id: z.string(),
  assigned_to: z.string().nullish(),
  created_at: z.string(),
});

/** The fields of a subject that an event has. */
type Known = Pick<SubjectRecord, 'id' | 'type' | 'title' | 'version'> &
  Partial<Pick<SubjectRecord, 'workflow_id' | 'assigned' | 'responsible' | 'due'>>;

function decision(data: unknown): Known {
  const { id, title, version, status, outcome, expected_by, review_by, ...people } = Decision.parse(data);
  const { created_by, created_by_person, deciders, consulted, informed } = people;
  const isOpen = outcome === 'pending' && !['rejected', 'archived'].includes(status);
  const due = {
    ...(expected_by && isOpen && { outcome_overdue: expected_by }),
    ...(review_by && status === 'accepted' && { review_due: review_by }),
  };
  const responsible = idsIn([created_by, created_by_person, ...deciders]);
  const assigned = idsIn([...deciders, ...consulted, ...informed]);
  return { id, title, version, type: 'decision', due, responsible, assigned };
}

function node(data: unknown): Known {
  const { created_at: _, assigned_to, ...titled } = Node.parse(data);
  return { ...titled, type: 'node', assigned: idsIn([assigned_to]) };
}

const workflow = (data: unknown): Known => ({
  ...Titled.parse({ ...workflowDefaults, ...(data as object) }),
  type: 'workflow',
});

const nodes = ({ data }: HandledEvent) => (data as { nodes: NodeSummary[] }).nodes.map(node);

const READ: Partial<Record<EventType, (event: HandledEvent) => Known[]>> = {
  'decision.created': ({ data }) => [decision(data)],
  'decision.updated': ({ data }) => [decision(data)],
  'decision.outcome_logged': ({ data }) => [decision((data as { decision: unknown }).decision)],
  'decisions.imported': ({ data }) => (data as { decisions: unknown[] }).decisions.map(decision),
  'node.created': ({ data }) => [node(data)],
  'node.updated': ({ data }) => [node(data)],
  'nodes.created': nodes,
  'nodes.updated': nodes,
  'nodes.imported': nodes,
  'workflow.created': ({ data }) => [workflow(data)],
  'workflow.updated': ({ data }) => [workflow(data)],
  'workflow.imported': ({ data }) => [workflow(data)],
  'workflow.graph_replaced': ({ data }) => [workflow((data as { workflow: unknown }).workflow)],
};
export const subjectTypes = Object.keys(READ) as EventType[];

/** Everyone who watches a record is told of its events, but not of an import or of each node of a graph. */
const isOfOne = (type: EventType) => type in READ && !/^nodes|imported$/.test(type);
/** Fields that say nothing to those who watch: a moved node, and an outcome, which has its own event. */
const SILENT = new Set(['position_x', 'position_y', 'outcome', 'outcome_notes', 'outcome_confidence']);

/** Keeps the titles, dates and assignments of records, and tells whom they concern. */
export async function subjectsChanged(service: NotificationsContext, event: HandledEvent): Promise<void> {
  const all = READ[event.type]!(event);
  for (let i = 0; i < all.length; i += SUBJECTS_AT_ONCE) {
    const some = all.slice(i, i + SUBJECTS_AT_ONCE);
    await changeAndTell(service, event, some, async (known, change) => {
      const restored = some.filter(({ id, version }) => {
        const before = known.get(id)!;
        return before.version <= before.deleted_version && version > before.deleted_version;
      });
      if (restored.length > 0) await change.restoreAbout(restored.map(({ id }) => id));
      return some.flatMap((one) => follow(event, known.get(one.id)!, one));
    });
  }
}

/** Brings a subject up to an event. Returns the drafts about it. */
function follow(event: HandledEvent, subject: SubjectRecord, { due, ...now }: Known): Draft[] {
  const { assigned: before } = subject;
  if (now.version > subject.version) {
    Object.assign(subject, now);
    if (due) Object.assign(subject, nextDue(subject.due, due, event.time));
  }
  const assigned = subject.assigned ?? [];
  const told = subject.assigned_told.filter((one) => assigned.includes(one));
  // An event of the assignment may come after one of a later change.
  const added = (now.assigned ?? []).filter(
    (one) =>
      assigned.includes(one) &&
      !told.includes(one) &&
      isAssignment(event, now.version, one, before?.includes(one) === false),
  );
  subject.assigned_told = [...told, ...added];
  const cause = `assignment/${subject.id}/${subject.version}`;
  const drafts = added.map((user_id): Draft => ({ subject, user_id, kind: 'assignment', cause }));
  const isDeleted = subject.deleted_version >= now.version;
  if (!isDeleted && isToldAsChange(event)) {
    const except = drafts.flatMap(({ user_id }) => user_id ?? []);
    drafts.push({ subject, user_id: null, except, kind: 'change', cause: `change/${event.id}` });
  }
  return isDeleted ? [] : drafts;
}

const ASSIGNING = ['assigned_to', 'deciders', 'consulted', 'informed'];

/**
 * Whether an event assigns a person: it creates the record, names the person, or comes after one without the
 * person. Imports assign nobody.
 */
function isAssignment(
  { type, changes }: HandledEvent,
  version: number,
  userId: string,
  wasAbsent: boolean,
): boolean {
  if (type.endsWith('.imported')) return false;
  const idsOf = (side: 'before' | 'after') =>
    idsIn(ASSIGNING.flatMap((field) => changes?.[field]?.[side] ?? []));
  const isNamed = idsOf('after').includes(userId) && !idsOf('before').includes(userId);
  return wasAbsent || isNamed || (type.endsWith('.created') && version === 1);
}

function isToldAsChange({ type, changes }: HandledEvent): boolean {
  if (!isOfOne(type)) return false;
  const fields = Object.keys(changes ?? {});
  return fields.length === 0 || fields.some((field) => !SILENT.has(field));
}

const Requested = z.object({
  decision: z.unknown(),
  requested_of: z.array(z.string()),
  content_sha256: z.string(),
});

/** Tells those who were asked to approve a decision. */
export async function approvalRequested(service: NotificationsContext, event: HandledEvent): Promise<void> {
  const { decision: data, requested_of, content_sha256 } = Requested.parse(event.data);
  const asked = decision(data);
  await changeAndTell(service, event, [asked], async (known) => {
    const subject = known.get(asked.id)!;
    const drafts = follow(event, subject, asked);
    if (subject.deleted_version >= asked.version) return [];
    // Once a day for each text, however often it is asked for.
    const cause = `approval/${asked.id}/${content_sha256}/${event.time.slice(0, 10)}`;
    for (const user_id of requested_of) drafts.push({ subject, user_id, kind: 'approval_requested', cause });
    return drafts;
  });
}

const Voided = z.object({ id: z.string(), approver: z.object({ id: z.string().nullable() }) });

/** Tells a person that their verdict on a decision is void. */
export async function approvalVoided(service: NotificationsContext, event: HandledEvent): Promise<void> {
  const { id, approver } = Voided.parse(event.data);
  const { id: decisionId, version } = event.subject;
  await changeAndTell(service, event, [{ id: decisionId, type: 'decision' }], async (known) => {
    const subject = known.get(decisionId)!;
    if (approver.id === null || subject.deleted_version >= version) return [];
    return [{ subject, user_id: approver.id, kind: 'approval_voided', cause: `void/${id}` }];
  });
}

const DELETED = z.object({ nodes: z.array(z.object({ id: z.string(), version: z.number() })) });

/** Removes the notifications of deleted records, unless they were restored since. */
export async function subjectsDeleted(service: NotificationsContext, event: HandledEvent): Promise<void> {
  const isOfGraph = event.type === 'nodes.deleted';
  const type = isOfGraph ? 'node' : (event.subject.type as SubjectRecord['type']);
  const all = isOfGraph ? DELETED.parse(event.data).nodes : [event.subject];
  for (let i = 0; i < all.length; i += SUBJECTS_AT_ONCE) {
    const deleted = all.slice(i, i + SUBJECTS_AT_ONCE).map(({ id, version }) => ({ id, version, type }));
    await changeAndTell(service, event, deleted, async (known, change) => {
      const gone = deleted.filter(({ id, version }) => {
        const subject = known.get(id)!;
        subject.deleted_version = Math.max(subject.deleted_version, version);
        if (subject.version > version) return false;
        Object.assign(subject, { version, responsible: [], due: {}, next_due_at: null });
        return true;
      });
      await change.removeAbout(
        gone.map(({ id }) => id),
        event.time,
      );
      return [];
    });
  }
}
