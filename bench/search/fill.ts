import { MongoClient } from 'mongodb';
import { changesOf } from '../../services/search/src/projection/events.ts';
import type { ItemDocument, WorkspaceDocument } from '../../services/search/src/store/items.ts';
import { fold } from '../../services/search/src/text/fold.ts';
import { connectPostgres } from '../support/postgres.ts';
import { documentsOf } from './documents.ts';
import { eventOf, type SearchItems, TITLE_CHARACTERS } from './items.ts';
import type { SearchStand } from './servers.ts';

const INSERT_ROWS = 1_000;
const INSERT_ITEMS = 5_000;
const PUBLISHED_AT_ONCE = 500;
/** Items that are indexed through events and timed. Further items are inserted directly. */
const INTAKE_MAX = 20_000;

/**
 * Fills the service's projection and PostgreSQL with the same items and returns how long the first ones
 * took.
 */
export async function fillStores(
  stand: SearchStand,
  workspaceId: string,
  items: SearchItems,
): Promise<string[]> {
  const { ids, texts, startMs } = items;
  const count = texts.length;
  const intake = Math.min(count, INTAKE_MAX);
  const event = (i: number) => eventOf(workspaceId, ids[i]!, texts[i]!, startMs + i);
  const facts: string[] = [];
  const first = `the first ${intake.toLocaleString('en')}`;
  facts.push(`events to projection, ${first}: ${perSecond(intake, await project())}`);
  await fillProjection();
  const { postgres } = stand;
  if (postgres) {
    const seconds = await fillPostgres(postgres.socket);
    facts.push(`into PostgreSQL with its indexes in place, ${first}: ${perSecond(intake, seconds)}`);
  }
  return facts;

  /** Publishes the first items as events. Returns the seconds until the projection has them. */
  async function project(): Promise<number> {
    const startedAt = performance.now();
    for (let at = 0; at < intake; at += PUBLISHED_AT_ONCE) {
      const until = Math.min(intake, at + PUBLISHED_AT_ONCE);
      const portion = Array.from({ length: until - at }, (_, i) => at + i);
      await Promise.all(portion.map((i) => stand.publish(event(i))));
    }
    await stand.untilProjected();
    return (performance.now() - startedAt) / 1000;
  }

  /** Inserts the other items into the projection. */
  async function fillProjection(): Promise<void> {
    const mongo = new MongoClient(stand.mongoUrl);
    const database = mongo.db('waymark_search');
    for (let at = intake; at < count; at += INSERT_ITEMS) {
      const portion = Array.from({ length: Math.min(count - at, INSERT_ITEMS) }, (_, i) => at + i);
      const changes = portion.flatMap((i) => changesOf(event(i)));
      const documents = documentsOf(workspaceId, changes, at);
      await database.collection<ItemDocument>('items').insertMany(documents, { ordered: false });
    }
    const revision = Math.max(count, intake);
    await database
      .collection<WorkspaceDocument>('workspaces')
      .updateOne({ _id: workspaceId }, { $set: { revision } });
    await mongo.close();
  }

  /**
   * Inserts the items into PostgreSQL. Returns the seconds for the first ones, inserted with indexes in
   * place.
   */
  async function fillPostgres(socket: string): Promise<number> {
    const connection = await connectPostgres(socket);
    await connection.query(`
      CREATE EXTENSION pg_trgm;
      CREATE TABLE items (id uuid PRIMARY KEY, workspace_id uuid, position bigint, title text, status text, description text,
        folded text);
      CREATE INDEX ON items (workspace_id, position);
      CREATE INDEX items_trigrams ON items USING gin (folded gin_trgm_ops)`);
    async function insert(from: number, until: number): Promise<void> {
      for (let at = from; at < until; at += INSERT_ROWS) {
        const rows = texts.slice(at, Math.min(until, at + INSERT_ROWS)).map((text, i) => {
          const [title, description] = [text.slice(0, TITLE_CHARACTERS), text.slice(TITLE_CHARACTERS)];
          const values = [
            ids[at + i]!,
            workspaceId,
            String(startMs + at + i),
            title,
            'proposed',
            description,
          ];
          return `(${[...values, `${fold(title)}A${fold(description)}`].map(quoted).join()})`;
        });
        await connection.query(`INSERT INTO items VALUES ${rows.join()}`);
      }
    }
    const startedAt = performance.now();
    await insert(0, intake);
    const seconds = (performance.now() - startedAt) / 1000;
    if (count > intake) {
      await connection.query('DROP INDEX items_trigrams');
      await insert(intake, count);
      await connection.query('CREATE INDEX items_trigrams ON items USING gin (folded gin_trgm_ops)');
    }
    await connection.query('VACUUM ANALYZE items');
    await connection.query('CHECKPOINT');
    connection.close();
    return seconds;
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

export const perSecond = (count: number, seconds: number): string =>
  `${Math.round(count / seconds).toLocaleString('en')} items/s`;
