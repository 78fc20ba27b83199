import { z } from 'zod';
import { component, integer, time, uuid } from '../schema/types.ts';
import { Author } from './audit.ts';

export const trashKinds = ['decision', 'workflow', 'node', 'message'] as const;
export type TrashKind = (typeof trashKinds)[number];

export const TrashedRecord = component('TrashedRecord', 'A deleted record that can be restored', {
  kind: z.enum(trashKinds),
  id: uuid(),
  title: z.string().describe('Of a message the beginning of its content'),
  version: integer().describe('The version of the deletion; a restored record has the next one'),
  workflow_id: uuid().nullable().describe('The workflow of a node; null for other records'),
  node_id: uuid().nullable().describe('The node of a message; null for other records'),
  decision_id: uuid().nullable().describe('The decision of a message; null for other records'),
  deleted_at: time(),
  deleted_by: Author,
  purged_at: time().nullable().describe('When it is removed for good; null while an operator holds it'),
});
export type TrashedRecord = z.output<typeof TrashedRecord>;
