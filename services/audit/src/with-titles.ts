import type { AuditEntry } from '@waymark/contracts';
import type { AuditContext } from './context.ts';

const TITLED = ['decision', 'workflow', 'node'] as const;
const isTitled = (type: string): type is (typeof TITLED)[number] =>
  (TITLED as readonly string[]).includes(type);

/** Adds the present titles of records to entries; none while search is unavailable. */
export async function withTitles(
  { call, log }: Pick<AuditContext, 'call' | 'log'>,
  workspace_id: string,
  entries: AuditEntry[],
): Promise<AuditEntry[]> {
  const records = new Map(
    entries.flatMap(({ resource_type: kind, resource_id: id }) =>
      id !== null && isTitled(kind) ? [[id, { kind, id }]] : [],
    ),
  );
  if (records.size === 0) return entries;
  try {
    const { titles } = await call('findTitles', { body: { workspace_id, records: [...records.values()] } });
    return entries.map((entry) => {
      const title = titles[entry.resource_id ?? ''];
      return title === undefined ? entry : { ...entry, title };
    });
  } catch (error) {
    log.warn({ err: error }, 'audit entries without titles: search did not answer');
    return entries;
  }
}
