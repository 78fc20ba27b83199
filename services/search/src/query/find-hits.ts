import { type Highlight, limits, type SearchGroup } from '@waymark/contracts';
import { type Kind, messagesOn, type Payload, type Topic } from '../projection/item.ts';
import { highlightsIn } from '../text/highlight.ts';

/** A live record as the projection and its indexes hold it. */
export interface TextRow {
  id: string;
  /** A message's topic, the node or decision that it is on. */
  parent_id: string | null;
  /** Unique in the workspace; newer records have higher positions. */
  position: number;
  /** A `Payload` as JSON. */
  payload: string;
}

type Awaitable<T> = T | Promise<T>;

/** A store of texts to search; q is folded. Returns live records only, newest first. */
export interface TextSource {
  /** Records of a kind that contain q, below a position. */
  newest(kind: Kind, q: string, before: number, count: number): Awaitable<TextRow[]>;
  /** A topic's messages that contain q, at or above a position. */
  messagesOf(topic: Topic, id: string, q: string, from: number, count: number): Awaitable<TextRow[]>;
  topic(topic: Topic, id: string): Awaitable<TextRow | null>;
}

export interface FindRequest {
  /** Folded. */
  q: string;
  /** Hits per group. */
  limit: number;
  /** The only group to search; null for all. */
  group: SearchGroup | null;
  /** The position where the previous page ended; null for the first page. */
  before: number | null;
}

/** A record as `SearchHits` has it. */
interface Hit {
  id: string;
  highlights: Highlight[];
  [shown: string]: unknown;
}

interface FoundPage {
  hits: Hit[];
  /** The position where the next page begins; null at the end. */
  next: number | null;
}

export type Found = Record<SearchGroup, FoundPage>;

const HIGHLIGHTS = limits.searchHighlightsPerHit;
/** Each hit may read the store: a page of 500 would take every connection at once. */
const HITS_AT_ONCE = 16;
const NOTHING: FoundPage = { hits: [], next: null };
export const NOTHING_FOUND: Found = { nodes: NOTHING, decisions: NOTHING, workflows: NOTHING };

/** Returns the hits of a query by group. It defines the result of a search for every source. */
export async function findHits(source: TextSource, request: FindRequest): Promise<Found> {
  const isWanted = (group: SearchGroup) => request.group === null || request.group === group;
  return {
    nodes: isWanted('nodes') ? await findTopics(source, 'node', request) : NOTHING,
    decisions: isWanted('decisions') ? await findTopics(source, 'decision', request) : NOTHING,
    workflows: isWanted('workflows') ? await findWorkflows(source, request) : NOTHING,
  };
}

async function findWorkflows(source: TextSource, request: FindRequest): Promise<FoundPage> {
  const { q, limit, before } = request;
  const rows = await source.newest('workflow', q, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
  return pageOf(rows, limit, (row) => hitOf(row, [], q));
}

/** A topic's position is that of its newest text that contains q: its own, or a message's. */
async function findTopics(source: TextSource, topic: Topic, request: FindRequest): Promise<FoundPage> {
  const { q, limit, before } = request;
  const found: { row: TextRow; position: number }[] = [];
  const seen = new Set<string>();
  for await (const { id, own, position } of newestOfTopics(source, topic, request)) {
    if (seen.has(id)) continue;
    seen.add(id);
    const row = own ?? (await source.topic(topic, id));
    if (!row || (before !== null && (await wasOnEarlierPage(source, topic, row, q, before)))) continue;
    found.push({ row, position });
    if (found.length > limit) break;
  }
  return pageOf(found, limit, async ({ row }) =>
    hitOf(row, await source.messagesOf(topic, row.id, q, 0, HIGHLIGHTS), q),
  );
}

/** Whether an earlier page showed the topic, because of a newer text. */
async function wasOnEarlierPage(source: TextSource, topic: Topic, row: TextRow, q: string, before: number) {
  if (row.position >= before && hitOf(row, [], q).highlights.length > 0) return true;
  return (await source.messagesOf(topic, row.id, q, before, 1)).length > 0;
}

/** Merges the texts of topics and of messages, newest first; `own` is the topic when the text is its own. */
async function* newestOfTopics(source: TextSource, topic: Topic, request: FindRequest) {
  const rows = newestOf(source, topic, request);
  const messages = newestOf(source, messagesOn[topic], request);
  let [row, message] = await Promise.all([rows.next(), messages.next()]);
  while (!row.done || !message.done) {
    // Reads on only after the yield: if the page is full, nobody would handle the failure of a further read.
    if (!row.done && (message.done || row.value.position > message.value.position)) {
      yield { id: row.value.id, own: row.value, position: row.value.position };
      row = await rows.next();
    } else if (!message.done) {
      yield { id: message.value.parent_id!, own: null, position: message.value.position };
      message = await messages.next();
    }
  }
}

/** Yields all rows of a kind, read in growing portions: a topic may have thousands of messages that match. */
async function* newestOf(
  source: TextSource,
  kind: Kind,
  request: FindRequest,
): AsyncGenerator<TextRow, void> {
  let before = request.before ?? Number.MAX_SAFE_INTEGER;
  for (let count = request.limit + 1; ; count *= 2) {
    const rows = await source.newest(kind, request.q, before, count);
    yield* rows;
    if (rows.length < count) return;
    before = rows.at(-1)!.position;
  }
}

async function pageOf<T extends { position: number }>(
  found: T[],
  limit: number,
  hit: (found: T) => Awaitable<Hit>,
): Promise<FoundPage> {
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1)!.position : null;
  const hits: Hit[] = [];
  for (let at = 0; at < shown.length; at += HITS_AT_ONCE) {
    hits.push(...(await Promise.all(shown.slice(at, at + HITS_AT_ONCE).map(hit))));
  }
  return { hits, next };
}

function hitOf(row: TextRow, messages: TextRow[], q: string): Hit {
  const highlights: Highlight[] = [];
  const highlight = ({ fields }: Payload, message_id: string | null) => {
    for (const [field, text] of fields) {
      const marks = highlightsIn(text, q, HIGHLIGHTS - highlights.length);
      highlights.push(...marks.map((mark) => ({ field, message_id, ...mark })));
    }
  };
  const own = JSON.parse(row.payload) as Payload;
  highlight(own, null);
  for (const { id, payload } of messages) highlight(JSON.parse(payload) as Payload, id);
  return { id: row.id, ...own.shown, highlights };
}
