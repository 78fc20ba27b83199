import { z } from 'zod';
import { limits } from '../limits.ts';
import { decisionOrders, decisionStatuses, outcomes } from '../resources/decision.ts';
import { body } from '../schema/body.ts';
import { example, field, forCreate, forUpdate, inRecord } from '../schema/fields.ts';
import { component, name, SORT, text, time, uuid, workspaceInBody } from '../schema/types.ts';

/** The records whose lists a person can arrange. */
const viewKinds = ['decisions', 'audit_log'] as const;
/** The columns of the decisions, besides the title. */
const decisionColumns = ['status', 'outcome', 'quality', 'expected', 'author', 'created', 'changed'] as const;

export const viewKind = () => example(z.enum(viewKinds).describe('The records of the list'), 'decisions');
const several = (item: z.ZodType<string>) => z.array(item).min(1).max(limits.listItems).optional();
const day = (description: string) =>
  example(z.iso.date().describe(`${description}, in the time zone of the reader`), '2026-11-01').optional();

const QUERY = { description: 'The filters and the order of a list', examples: [{ overdue: true }] };
/** The filters of GET /decisions, with days instead of times. */
const decisionFilters = {
  text: text(limits.titleCharacters, 1).optional().describe('Part of the title, in upper or lower case'),
  status: several(z.enum(decisionStatuses)).describe('Any of these'),
  outcome: several(z.enum(outcomes)).describe('Any of these'),
  tags: several(text(limits.tagCharacters, 1)).describe('At least one of these'),
  decision_type: text(limits.titleCharacters, 1).optional().describe('The decision_type of the decisions'),
  author: several(text(100, 1)).describe('The created_by of the decisions: any of these'),
  overdue: z.boolean().optional().describe('Whether the outcome is overdue'),
  expected_from: day('Expected on or after this day'),
  expected_to: day('Expected before this day'),
  sort: z.enum(decisionOrders).optional().describe(SORT),
  board: z.boolean().describe('Whether the console shows a board by status').optional(),
};
const auditFilter = (description: string) =>
  text(100, 1).optional().describe(`${description}; only in views of the audit log`);
/** The filters of GET /audit-log, with days instead of times. */
const auditFilters = {
  action: auditFilter('What was done'),
  resource_type: auditFilter('What kind of record it was done to'),
  resource_id: auditFilter('The id of the record'),
  actor: auditFilter('The id of a key, a service account or a user'),
  ip: auditFilter('The address of the client'),
};
const bothFilters = {
  created_from: day('Created on or after this day'),
  created_to: day('Created before this day'),
};
const queryShape = { ...decisionFilters, ...auditFilters, ...bothFilters };
/** The names of the filters of each list, and of its order. */
export const viewFilters: Record<(typeof viewKinds)[number], readonly string[]> = {
  decisions: Object.keys({ ...decisionFilters, ...bothFilters }),
  audit_log: Object.keys({ ...auditFilters, ...bothFilters }),
};
export const ViewQuery = z.object(queryShape).meta({ id: 'ViewQuery', ...QUERY });

const columns = z
  .array(z.enum(decisionColumns))
  .max(decisionColumns.length)
  .describe('Besides the title, in the order of the list; only that of decisions has a choice');

const viewFields = {
  name: field(name().describe('What the view is called'), { example: 'Overdue of my team' }),
  query: field(body(queryShape).meta({ id: 'ViewQueryInput', ...QUERY }), {
    default: {},
    kept: ViewQuery,
  }),
  columns: field(columns, { default: ['status', 'outcome', 'quality', 'expected', 'author', 'created'] }),
  shared: field(z.boolean().describe('Whether everyone in the workspace sees it'), { default: false }),
};

export const SavedView = component('SavedView', 'Filters, order and columns of a list, by name', {
  id: uuid(),
  workspace_id: uuid(),
  kind: viewKind(),
  owner_id: uuid().describe('The user who made it'),
  ...inRecord(viewFields),
  created_at: time(),
  updated_at: time(),
});
export type SavedView = z.output<typeof SavedView>;

export const SavedViewCreate = body({
  ...workspaceInBody,
  kind: viewKind(),
  ...forCreate(viewFields),
}).meta({ id: 'SavedViewCreate' });
export type SavedViewCreate = z.output<typeof SavedViewCreate>;

export const SavedViewUpdate = body({ ...workspaceInBody, ...forUpdate(viewFields) }).meta({
  id: 'SavedViewUpdate',
});
export type SavedViewUpdate = z.output<typeof SavedViewUpdate>;

const settingsFields = {
  columns: viewFields.columns,
  default_view_id: field(uuid().nullable().describe('The view that the list opens with'), { default: null }),
  favourite_ids: field(
    z.array(uuid()).max(limits.favouriteViews).describe('The ids of the views that stay beside the list'),
    { default: [] },
  ),
};
export const ListSettings = component('ListSettings', 'How a person has arranged a list of a workspace', {
  kind: viewKind(),
  ...inRecord(settingsFields),
});
export type ListSettings = z.output<typeof ListSettings>;

export const ListSettingsUpdate = body({
  ...workspaceInBody,
  kind: viewKind(),
  ...forUpdate(settingsFields),
}).meta({ id: 'ListSettingsUpdate', description: 'Absent fields stay as they are' });
export type ListSettingsUpdate = z.output<typeof ListSettingsUpdate>;

export const SavedViews = component('SavedViews', {
  data: z.array(SavedView).describe('Those of the caller and the shared ones, by name'),
  settings: ListSettings,
});
