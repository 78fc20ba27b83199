import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { events } from '../events/events.ts';
import { Decision, decisionDefaults } from './decision.ts';
import { importedRecords } from './imported.ts';
import { Message, messageDefaults } from './thread.ts';
import { Edge, edgeDefaults, Node, nodeDefaults, Workflow, workflowDefaults } from './workflow.ts';

const ID = '0190a6b2-7c1d-7e42-9f5a-3b1c8d2e4f60';
const TIME = '2026-03-14T09:26:53.589Z';
const written = { id: ID, workspace_id: ID, workflow_id: ID, created_at: TIME, updated_at: TIME, version: 1 };
const only = (record: z.ZodObject, values: object) =>
  Object.fromEntries(Object.entries(values).filter(([field]) => field in record.shape));

/** Records with their fields without a default, and the defaults of the others. */
const records = {
  decisions: {
    record: Decision,
    own: { title: 'T', quality_score: 0, created_by: ID },
    defaults: decisionDefaults,
  },
  workflows: { record: Workflow, own: { title: 'T' }, defaults: workflowDefaults },
  nodes: {
    record: Node,
    own: { type: 'task', title: 'T', position_x: 0, position_y: 0 },
    defaults: nodeDefaults,
  },
  edges: { record: Edge, own: { source_id: ID, target_id: ID }, defaults: edgeDefaults },
  messages: {
    record: Message,
    own: {
      thread_id: ID,
      node_id: ID,
      content: 'T',
      author: { type: 'session', id: ID, name: 'Mira' },
      edited_at: null,
    },
    defaults: messageDefaults,
  },
} as const;
const names = Object.keys(records) as (keyof typeof records)[];

describe.each(names)('a record of %s that lacks its fields with defaults', (name) => {
  const { record, own, defaults } = records[name];
  const older = { ...only(record, written), ...own };

  it('is imported with the defaults', () => {
    expect(Object.keys(defaults).length).toBeGreaterThan(0);
    expect(importedRecords[name].parse(older)).toEqual({ ...older, ...defaults });
    for (const field of Object.keys(defaults)) {
      const { [field]: _, ...rest } = { ...older, ...defaults } as Record<string, unknown>;
      expect(importedRecords[name].parse(rest)).toEqual({ ...older, ...defaults });
    }
  });

  it('is refused if it lacks a field without a default, or has an unknown field', () => {
    for (const field of Object.keys(older)) {
      const { [field]: _, ...rest } = older as Record<string, unknown>;
      expect(importedRecords[name].safeParse(rest).success).toBe(false);
    }
    expect(importedRecords[name].safeParse({ ...older, unknown: 1 }).success).toBe(false);
  });

  it('is read from an event with the defaults', () => {
    expect(record.parse(older)).toEqual({ ...older, ...defaults });
  });
});

it('an event published before a field existed is read with its default', () => {
  const older = { ...only(Decision, written), ...records.decisions.own };
  expect(events['decision.created'].data.parse(older)).toEqual({ ...older, ...decisionDefaults });
  expect(z.object({ data: Decision.pick({ tags: true }) }).parse({ data: {} })).toEqual({
    data: { tags: [] },
  });
});

it('a default cannot be changed by a reader', () => {
  expect(() => (decisionDefaults.tags as string[]).push('x')).toThrow(TypeError);
  expect(Decision.parse({ ...only(Decision, written), ...records.decisions.own }).tags).not.toBe(
    decisionDefaults.tags,
  );
});
