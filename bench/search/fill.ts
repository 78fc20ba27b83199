import { newId } from '@waymark/contracts';
import { sampleDecision } from '@waymark/testing';
import type { MongoClient } from 'mongodb';
import { decisionItem, SearchedDecision } from '../../services/search/src/projection/item.ts';
import { planProjection } from '../../services/search/src/projection/plan.ts';
import { type ItemDocument, keyOf, type WorkspaceDocument } from '../../services/search/src/store/items.ts';
import { fold } from '../../services/search/src/text/fold.ts';
import { connectPostgres, type Postgres, quoted } from '../support/postgres.ts';
import { makeTexts } from '../support/texts.ts';
import { type QueryClass, queryClasses } from './queries.ts';

export const ITEM_CHARACTERS = 250;
const TITLE_CHARACTERS = 50;
const AT_ONCE = 1_000;

interface Item {
  id: string;
  title: string;
  description: string;
  createdMs: number;
}

/** Fills the projection and PostgreSQL with the same decisions, and makes up texts to search for. */
export async function fillStores(
  mongo: MongoClient,
  postgres: Postgres | null,
  count: number,
): Promise<{ workspaceId: string; classes: QueryClass[] }> {
  const workspaceId = newId();
  const corpus = makeTexts(1);
  const startMs = Date.now() - count;
  const texts = Array.from({ length: count }, () => corpus.text(ITEM_CHARACTERS));
  const items = texts.map((text, i) => ({
    id: newId(),
    title: text.slice(0, TITLE_CHARACTERS),
    description: text.slice(TITLE_CHARACTERS),
    createdMs: startMs + i,
  }));
  await fillProjection(mongo, workspaceId, items);
  if (postgres) await fillPostgres(postgres.socket, workspaceId, items);
  return { workspaceId, classes: queryClasses(corpus, texts) };
}

async function fillProjection(
  mongo: MongoClient,
  workspaceId: string,
  items: readonly Item[],
): Promise<void> {
  const database = mongo.db('waymark_search');
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const changes = items.slice(at, at + AT_ONCE).map(({ id, title, description, createdMs }) => {
      const created_at = new Date(createdMs).toISOString();
      const decision = sampleDecision({ id, workspace_id: workspaceId, title, description, created_at });
      const item = decisionItem(SearchedDecision.parse(decision));
      return { kind: 'decision', id, version: 1, item } as const;
    });
    const documents = planProjection(changes, new Map(), at).writes.map(({ live, ...item }): ItemDocument => {
      const { created_ms, preferred: position, folded, payload } = live!;
      const of = { _id: keyOf(workspaceId, `${item.kind}/${item.id}`), workspace_id: workspaceId };
      return { ...of, ...item, created_ms, position, folded, payload };
    });
    await database.collection<ItemDocument>('items').insertMany(documents, { ordered: false });
  }
  const workspace = { _id: workspaceId, epoch: newId(), revision: items.length, batches: 0 };
  await database.collection<WorkspaceDocument>('workspaces').insertOne(workspace);
}

async function fillPostgres(socket: string, workspaceId: string, items: readonly Item[]): Promise<void> {
  const connection = await connectPostgres(socket);
  await connection.query(`
    CREATE EXTENSION pg_trgm;
    CREATE TABLE items (id uuid PRIMARY KEY, workspace_id uuid, position bigint, title text, status text, description text,
      folded text)`);
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const rows = items.slice(at, at + AT_ONCE).map(({ id, title, description, createdMs }) => {
      const texts = [title, 'proposed', description, `${fold(title)}A${fold(description)}`];
      return `(${[id, workspaceId, String(createdMs), ...texts].map(quoted).join()})`;
    });
    await connection.query(`INSERT INTO items VALUES ${rows.join()}`);
  }
  await connection.query('CREATE INDEX ON items (workspace_id, position)');
  await connection.query('CREATE INDEX ON items USING gin (folded gin_trgm_ops)');
  await connection.query('VACUUM ANALYZE items');
  await connection.query('CHECKPOINT');
  connection.close();
}
