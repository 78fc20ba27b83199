import { DatabaseSync } from 'node:sqlite';
import { createWaymarkClient, type Schemas, unwrap, WaymarkError } from '@waymark/client';

/**
 * Keeps a copy of a workspace's decisions in SQLite. It may be killed at any moment: when it starts again, it
 * continues from the position in its database.
 */
const { WAYMARK_URL = '', WAYMARK_API_KEY: apiKey = '', MIRROR_FILE = 'mirror.db' } = process.env;
const client = createWaymarkClient({ baseUrl: `${WAYMARK_URL}/v1`, apiKey });
// Waits at most this long while another process reads.
const database = new DatabaseSync(MIRROR_FILE, { timeout: 5_000 });
database.exec(`
  CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, version INTEGER NOT NULL, data TEXT);
  CREATE TABLE IF NOT EXISTS position (name TEXT PRIMARY KEY, number INTEGER NOT NULL)`);
const putDecision = database.prepare(`
  INSERT INTO decisions VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
  SET version = excluded.version, data = excluded.data WHERE excluded.version > version`);
const putPosition = database.prepare("INSERT OR REPLACE INTO position VALUES ('after', ?)");
const readPosition = database.prepare("SELECT number FROM position WHERE name = 'after'");

type Decision = Schemas['Decision'];
type Event = Schemas['LoggedEvent'];

const put = (decision: Decision) => putDecision.run(decision.id, decision.version, JSON.stringify(decision));
/** Keeps a row without data: an event from before the deletion may come after it. */
const putDeletion = (id: string, version: number) => putDecision.run(id, version, null);

/** Reads everything. The position is from before, so that events from meanwhile come again. */
async function begin(): Promise<number> {
  const { newest } = await unwrap(client.GET('/event-log', { params: { query: { limit: 1 } } }));
  database.exec('BEGIN; DELETE FROM decisions');
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 500, ...(cursor && { cursor }) };
    const page = await unwrap(client.GET('/decisions', { params: { query } }));
    page.decisions.forEach(put);
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 500, ...(cursor && { cursor }) };
    const page = await unwrap(client.GET('/decisions/deleted', { params: { query } }));
    for (const { id, version } of page.data) putDeletion(id, version);
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  putPosition.run(newest);
  database.exec('COMMIT');
  return newest;
}

/** Applies an event. Returns false if its data is gone, because a person in it was erased. */
function apply({ type, subject, data }: Event): boolean {
  if (type === 'decision.deleted') putDeletion(subject.id, subject.version);
  else if (!/^decisions?\.(created|updated|outcome_logged|imported)$/.test(type)) return true;
  else if (!data) return false;
  else if (type === 'decision.outcome_logged') put(data['decision'] as Decision);
  else if (type === 'decisions.imported') (data['decisions'] as Decision[]).forEach(put);
  else put(data as unknown as Decision);
  return true;
}

/** Stores the changes of a page and the position after it together. Returns the position. */
async function follow(after: number): Promise<number> {
  const query = { after, limit: 100, wait: 10 };
  const page = await unwrap(client.GET('/event-log', { params: { query } }));
  database.exec('BEGIN');
  const isComplete = page.data.every(apply);
  putPosition.run(page.next_after);
  database.exec(isComplete ? 'COMMIT' : 'ROLLBACK');
  return isComplete ? page.next_after : begin();
}

let after = (readPosition.get()?.['number'] as number | undefined) ?? (await begin());
for (;;) {
  try {
    after = await follow(after);
  } catch (error) {
    if (!(error instanceof WaymarkError) || error.code !== 'POSITION_GONE') throw error;
    after = await begin();
  }
}
