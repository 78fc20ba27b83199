import { pagesOf } from '@waymark/client';
import type { Operation } from '@waymark/contracts';
import type { Terminal } from '../terminal/terminal.ts';
import { parametersOf } from './parameters.ts';
import { type CallInput, json, type Sender } from './send.ts';

type Page = Record<string, unknown> & { next_cursor: string | null };

/** Reads all pages of a list. The answer has the form of one page, without a cursor. */
export async function readPages(
  operation: Operation,
  input: CallInput,
  send: Sender,
  terminal: Terminal,
): Promise<Page> {
  const most = parametersOf(operation).find(({ name }) => name === 'limit')?.maximum;
  const query = { limit: most, ...input.query };
  const read = (cursor: string | undefined) =>
    send(operation, { ...input, query: { ...query, ...(cursor && { cursor }) } }, json<Page>);
  const items: unknown[] = [];
  let answer = {};
  for await (const page of pagesOf(read)) {
    if (terminal.showsProgress && items.length > 0) terminal.error(`${items.length} read`);
    const list = Object.keys(page).find((name) => Array.isArray(page[name]))!;
    items.push(...(page[list] as unknown[]));
    answer = { ...page, [list]: items };
  }
  return answer as Page;
}
