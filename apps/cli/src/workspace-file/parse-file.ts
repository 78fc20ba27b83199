import { inWorkspace } from '@waymark/contracts';
import { z } from 'zod';
import { type Issue, type LineOf, parseYaml } from './parse-yaml.ts';
import { type Fields, keyOf, type Section, sections, sorted } from './sections.ts';

/** The records of a section, with their lines. */
export type Entries = { fields: Fields; line: number }[];

export interface WorkspaceFile {
  workspaceId: { value: string; line: number } | undefined;
  /** The entries of the sections that the file has. */
  entries: Map<Section, Entries>;
}

/** The rest of them often has the same cause. */
export const SHOWN_ISSUES = 20;

const schema = z.strictObject({
  workspaceId: inWorkspace.workspace_id.optional(),
  ...Object.fromEntries(sections.map(({ name, entry }) => [name, z.array(entry).optional()])),
});

/** Returns the records of a workspace file with the defaults of their fields, or its mistakes. */
export function parseWorkspaceFile(text: string): { file: WorkspaceFile } | { issues: Issue[] } {
  const yaml = parseYaml(text);
  if ('issues' in yaml) return yaml;
  const { value, lineOf } = yaml;
  if (value === null) return { issues: [{ line: 1, message: 'is empty' }] };
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const some = parsed.error.issues.slice(0, SHOWN_ISSUES);
    return { issues: some.flatMap((issue) => issuesOf(issue, lineOf)).sort((a, b) => a.line - b.line) };
  }
  const { workspaceId, ...lists } = parsed.data as { workspaceId?: string } & Record<string, Fields[]>;
  const entries = new Map<Section, Entries>();
  for (const section of sections) {
    const list = lists[section.name]?.map((fields, i) => ({
      fields: sortedFields(fields),
      line: lineOf([section.name, i]),
    }));
    if (list) entries.set(section, list);
  }
  if (entries.size === 0) {
    const message = `has none of ${sections.map(({ name }) => name).join(', ')}`;
    return { issues: [{ line: 1, message }] };
  }
  const issues = [...entries].flatMap(([section, list]) => repetitions(section, list, lineOf));
  if (issues.length > 0) return { issues };
  const named = workspaceId === undefined ? undefined : { value: workspaceId, line: lineOf(['workspaceId']) };
  return { file: { workspaceId: named, entries } };
}

const sortedFields = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, sorted(value)]));

function issuesOf(issue: z.core.$ZodIssue, lineOf: LineOf): Issue[] {
  const at = (path: PropertyKey[], message: string) => {
    const name = path.join('.');
    return { line: lineOf(path), message: name ? `${name}: ${message}` : message };
  };
  if (issue.code !== 'unrecognized_keys') return [at(issue.path, issue.message)];
  return issue.keys
    .slice(0, SHOWN_ISSUES)
    .map((key) => at([...issue.path, key], 'is not a field of a workspace file'));
}

function repetitions(section: Section, entries: Entries, lineOf: LineOf): Issue[] {
  const { name, key } = section;
  const lines = new Map<string, number>();
  return entries.flatMap(({ fields }, i) => {
    const line = lineOf([name, i, key]);
    const first = lines.get(keyOf(section, fields));
    if (first !== undefined)
      return [{ line, message: `${name}.${i}.${key}: is the same as in line ${first}` }];
    lines.set(keyOf(section, fields), line);
    return [];
  });
}
