import type { Operation } from '@waymark/contracts';
import type { Terminal } from '../terminal.ts';
import { parametersOf } from './parameters.ts';
import type { CallInput, Sender } from './send.ts';

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
  let page = await send.json<Page>(operation, { ...input, query });
  const list = Object.keys(page).find((name) => Array.isArray(page[name]))!;
  const items = page[list] as unknown[];
  while (page.next_cursor !== null) {
    if (terminal.showsProgress) terminal.error(`${items.length} read`);
    page = await send.json<Page>(operation, { ...input, query: { ...query, cursor: page.next_cursor } });
    items.push(...(page[list] as unknown[]));
  }
  return { ...page, [list]: items };
}
