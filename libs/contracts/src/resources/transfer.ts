import { z } from 'zod';
import { component, count, integer, time, uuid } from '../schema/types.ts';
import { Approval, ApprovalRule } from './approval.ts';
import { Actor } from './audit.ts';
import { Decision, HistoryEntry, OutcomeRecord } from './decision.ts';
import { Forecast } from './forecast.ts';
import { Message, Thread } from './thread.ts';
import { Edge, Node, Workflow } from './workflow.ts';

export const EXPORT_SCHEMA_VERSION = 1;

export const ExportedLink = component('ExportedLink', 'Between two decisions', {
  source_id: uuid(),
  target_id: uuid(),
  kind: z.enum(['supersedes', 'relates']),
});
export type ExportedLink = z.output<typeof ExportedLink>;

export const ExportedHistory = HistoryEntry.extend({ decision_id: uuid() }).meta({
  id: 'ExportedHistory',
  description: 'An update of a decision; the decision itself records its creation',
});
export type ExportedHistory = z.output<typeof ExportedHistory>;

const records = {
  workflows: z.array(Workflow),
  nodes: z.array(Node),
  edges: z.array(Edge),
  decisions: z.array(Decision),
  outcomes: z.array(OutcomeRecord),
  approvals: z.array(Approval),
  forecasts: z.array(Forecast),
  history: z.array(ExportedHistory),
  links: z.array(ExportedLink),
  threads: z.array(Thread),
  messages: z.array(Message),
  approval_rules: z.array(ApprovalRule),
};
export type ExportCollection = keyof typeof records;
export const exportCollections = Object.keys(records) as ExportCollection[];

/** Numbers of records, by collection. */
const Counts = z.record(z.enum(exportCollections), count());

export const WorkspaceExport = component('WorkspaceExport', {
  schema_version: z.literal(EXPORT_SCHEMA_VERSION),
  exported_at: time(),
  workspace: z.object({ id: uuid(), name: z.string() }),
  counts: Counts,
  ...records,
});
export type WorkspaceExport = z.output<typeof WorkspaceExport>;

export const importIds = ['keep', 'remap'] as const;

export const ImportIssue = z.object({ path: z.string(), message: z.string() });

export const ImportJob = component('ImportJob', 'An import, its progress, and what is wrong with the file', {
  id: uuid(),
  workspace_id: uuid(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  phase: z
    .enum(['reading', 'checking', 'writing'])
    .describe(
      'reading and checking store nothing in the workspace. Of a failed import: the phase in which it failed',
    ),
  dry_run: z.boolean(),
  ids: z.enum(importIds),
  progress: z.object({
    done: Counts.describe('Records processed in the current phase'),
    total: Counts.nullable().describe('Null until the file has been read'),
    stored: Counts.describe('Stored by this import, even if it failed later'),
    present: Counts.describe('Records that the workspace already has; they stay as they are'),
    left_out: Counts.describe(
      'Left out, because the record belongs to a deleted or a differing one; a warning names each',
    ),
  }),
  issues: z
    .array(ImportIssue)
    .describe('Problems that prevent the import; path names the record, for example nodes.12'),
  issue_count: integer().describe('The number of all issues; issues has the first ones'),
  warnings: z
    .array(ImportIssue)
    .describe('Problems that do not prevent the import, and the rules of approvals that it sets'),
  warning_count: integer(),
  created_by: Actor.pick({ type: true, id: true, name: true }).meta({
    id: 'ImportAuthor',
    description: 'Who started an import',
  }),
  created_at: time(),
  started_at: time().nullable(),
  finished_at: time().nullable(),
});
export type ImportJob = z.output<typeof ImportJob>;
