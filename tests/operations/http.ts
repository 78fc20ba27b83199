import { expect, it } from '@jest/globals';
import { BASE_PATH, type Operation, operationList } from '@waymark/contracts';
import { byId, pathTo, validInput } from '../support/records.ts';
import type { Fixture } from './fixture.ts';

const LEAST_COMPRESSED = 1_024;
const OF_BOTH = ['content-type', 'ratelimit-policy', 'cache-control', 'etag', 'vary'];
const reads = operationList.filter(({ method }) => method === 'GET');
/** The event stream never ends. */
const finite = reads.filter(({ id }) => id !== 'streamEvents');
const versioned = reads.filter((operation) => operation.versioned);
const paths = [...new Set(operationList.map(({ path }) => path))];

/** What HTTP asks of every operation: RFC 9110 and 9111. */
export function http({ product, receiver, mine }: Fixture): void {
  const { records, cookie } = mine;
  const call = (operation: Operation, method: string, more: { headers?: Record<string, string> } = {}) => {
    const input = { ...validInput(operation, records, receiver.url), ...more };
    return product.call(method, pathTo(operation, records), { cookie, ...input });
  };

  it('ends the response to HEAD of the event stream', async () => {
    const stream = reads.find(({ id }) => id === 'streamEvents')!;
    const { status, headers } = await call(stream, 'HEAD');
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it.each(paths)('OPTIONS %s lists the methods, charged as a read', async (path) => {
    const operations = operationList.filter((one) => one.path === path);
    const { status, headers } = await call(operations[0]!, 'OPTIONS');
    expect(status).toBe(204);
    const methods = operations.map(({ method }) => method as string);
    const expected = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    expect(headers['allow']!.split(', ')).toEqual(expect.arrayContaining(expected));
    const { headers: read } = await product.call('GET', '/workspaces', { cookie });
    expect(headers['ratelimit-policy']).toBe(read['ratelimit-policy']);
  });

  it.each(byId(versioned))('%s may be stored by its reader, who asks again', async (_, operation) => {
    const { headers } = await call(operation, 'GET');
    expect(headers['cache-control']).toBe('private, no-cache');
    const again = await call(operation, 'GET', { headers: { 'if-none-match': headers['etag']! } });
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'private, no-cache']);
    for (const { vary } of [headers, again.headers]) expect(vary).toMatch(/\bAccept-Encoding$/);
  });

  it.each(byId(finite))(
    '%s responds to HEAD as to GET, without a body, and compresses JSON of 1 KiB only',
    async (_, operation) => {
      const { query = {} } = validInput(operation, records, receiver.url) as {
        query?: Record<string, string>;
      };
      const url = `${product.url}${BASE_PATH}${pathTo(operation, records)}?${new URLSearchParams(query)}`;
      let isLarge = false;
      for (const coding of ['identity', 'br', 'GZIP']) {
        const headers = { 'accept-encoding': coding };
        const get = await fetch(url, { headers: { cookie, ...headers }, redirect: 'manual' });
        const isJson = get.headers.get('content-type')?.startsWith('application/json') === true;
        expect([coding, get.headers.get('content-encoding')]).toEqual([
          coding,
          isLarge ? coding.toLowerCase() : null,
        ]);
        if (isJson) expect(typeof (await get.json())).toBe('object');
        isLarge ||= isJson && Number(get.headers.get('content-length')) >= LEAST_COMPRESSED;
        const head = await call(operation, 'HEAD', { headers });
        expect([head.status, head.text]).toEqual([get.status, '']);
        for (const name of [...OF_BOTH, 'content-encoding'])
          expect([coding, name, head.headers[name] ?? null]).toEqual([coding, name, get.headers.get(name)]);
      }
    },
  );
}
