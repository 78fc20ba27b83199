import { readFile, rename, writeFile } from 'node:fs/promises';
import { createWaymarkClient, unwrap, WaymarkError } from '@waymark/client';

/**
 * A program that keeps a copy of a workspace's decisions in a file, as a customer would write it: it may be
 * killed at any moment, and continues from the position in its file.
 */
const { MIRROR_FILE: file = '', WAYMARK_URL: baseUrl = '', WAYMARK_API_KEY: apiKey = '' } = process.env;
const client = createWaymarkClient({ baseUrl, apiKey });

interface Copied {
  id: string;
  version: number;
}
interface Mirror {
  after: number;
  decisions: Record<string, Copied>;
  /** The versions of deleted decisions: an event from before may come later. */
  deleted: Record<string, number>;
}

async function save(mirror: Mirror): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(mirror));
  await rename(`${file}.new`, file);
}

/** Reads everything, and then the events from before the reading began. */
async function begin(): Promise<Mirror> {
  const { newest: after } = await unwrap(client.GET('/event-log', { params: { query: { limit: 1 } } }));
  const mirror: Mirror = { after, decisions: {}, deleted: {} };
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 20, ...(cursor && { cursor }) };
    const page = await unwrap(client.GET('/decisions', { params: { query } }));
    for (const decision of page.decisions) put(mirror, decision);
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  await save(mirror);
  return mirror;
}

function put({ decisions, deleted }: Mirror, decision: Copied): void {
  const known = Math.max(decisions[decision.id]?.version ?? 0, deleted[decision.id] ?? 0);
  if (decision.version > known) decisions[decision.id] = decision;
}

function apply(
  mirror: Mirror,
  type: string,
  id: string,
  version: number,
  data: Record<string, unknown>,
): void {
  if (type === 'decision.created' || type === 'decision.updated') put(mirror, data as unknown as Copied);
  if (type === 'decision.outcome_logged') put(mirror, data['decision'] as Copied);
  if (type === 'decisions.imported') for (const one of data['decisions'] as Copied[]) put(mirror, one);
  if (type !== 'decision.deleted' || version <= (mirror.decisions[id]?.version ?? 0)) return;
  mirror.deleted[id] = version;
  delete mirror.decisions[id];
}

async function follow(mirror: Mirror): Promise<never> {
  for (;;) {
    const query = { after: mirror.after, limit: 7, wait: 5 };
    const page = await unwrap(client.GET('/event-log', { params: { query } }));
    for (const { type, subject, data } of page.data)
      if (data) apply(mirror, type, subject.id, subject.version, data);
    mirror.after = page.next_after;
    await save(mirror);
  }
}

const kept = await readFile(file, 'utf8').catch(() => null);
let mirror = kept === null ? await begin() : (JSON.parse(kept) as Mirror);
for (;;) {
  try {
    await follow(mirror);
  } catch (error) {
    if (!(error instanceof WaymarkError) || error.code !== 'POSITION_GONE') throw error;
    mirror = await begin();
  }
}
