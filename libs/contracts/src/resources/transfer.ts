import { z } from 'zod';
import { time, uuid } from '../schema.ts';
import { Actor } from './audit.ts';
import { Decision, OutcomeRecord } from './decision.ts';
import { Message, Thread } from './thread.ts';
import { Edge, Node, Workflow } from './workflow.ts';

export const EXPORT_SCHEMA_VERSION = 1;

export const exportCollections = [
  'workflows',
  'nodes',
  'edges',
  'decisions',
  'outcomes',
  'links',
  'threads',
  'messages',
] as const;
export type ExportCollection = (typeof exportCollections)[number];

export const ExportedLink = z
  .object({ source_id: uuid(), target_id: uuid(), kind: z.enum(['supersedes', 'relates']) })
  .meta({ id: 'ExportedLink', description: 'Between two decisions' });
export type ExportedLink = z.output<typeof ExportedLink>;

/** Records by collection: counted, as in an export's head. */
const Counts = z.record(z.enum(exportCollections), z.number().int().min(0));

export const WorkspaceExport = z
  .object({
    schema_version: z.literal(EXPORT_SCHEMA_VERSION),
    exported_at: time(),
    workspace: z.object({ id: uuid(), name: z.string() }),
    counts: Counts,
    workflows: z.array(Workflow),
    nodes: z.array(Node),
    edges: z.array(Edge),
    decisions: z.array(Decision),
    outcomes: z.array(OutcomeRecord),
    links: z.array(ExportedLink),
    threads: z.array(Thread),
    messages: z.array(Message),
  })
  .meta({ id: 'WorkspaceExport' });
export type WorkspaceExport = z.output<typeof WorkspaceExport>;

export const importIds = ['keep', 'remap'] as const;
export const importStatuses = ['queued', 'running', 'succeeded', 'failed'] as const;

export const ImportJob = z
  .object({
    id: uuid(),
    workspace_id: uuid(),
    status: z.enum(importStatuses),
    dry_run: z.boolean(),
    ids: z.enum(importIds),
    progress: z.object({
      done: Counts,
      total: Counts.nullable().describe('Null until the file has been read'),
    }),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('What keeps the file from being imported; path names the record, for example nodes.12'),
    created_by: Actor.pick({ type: true, id: true, name: true }).meta({ id: 'ImportAuthor' }),
    created_at: time(),
    started_at: time().nullable(),
    finished_at: time().nullable(),
  })
  .meta({ id: 'ImportJob' });
export type ImportJob = z.output<typeof ImportJob>;
