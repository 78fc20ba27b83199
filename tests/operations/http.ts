import { expect, it } from '@jest/globals';
import { BASE_PATH, mintApiKey, type Operation, operationList } from '@waymark/contracts';
import { byId, pathTo, validInput } from '../support/records.ts';
import type { Fixture } from './fixture.ts';

const LEAST_COMPRESSED = 1_024;
const reads = operationList.filter(({ method }) => method === 'GET');
/** The event stream never ends. */
const finite = reads.filter(({ id }) => id !== 'streamEvents');
const versioned = reads.filter((operation) => operation.versioned);
const withCredentials = operationList.filter(({ caller }) => caller !== 'everyone' && caller !== 'feed');
const scoped = operationList.filter(({ scope, caller }) => scope === 'write' && caller === 'key_or_session');
const paths = [...new Set(operationList.map(({ path }) => path))];

/** What HTTP asks of every operation: RFC 9110, 6750 and 9111. */
export function http({ product, receiver, mine }: Fixture): void {
  const { records, cookie } = mine;
  const call = (operation: Operation, method: string, more: { headers?: Record<string, string> } = {}) => {
    const input = { ...validInput(operation, records, receiver.url), ...more };
    return product.call(method, pathTo(operation, records), { cookie, ...input });
  };

  it.each(byId(finite))('%s responds to HEAD as to GET, without a body', async (_, operation) => {
    const [get, head] = [await call(operation, 'GET'), await call(operation, 'HEAD')];
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-type', 'ratelimit-policy', 'cache-control', 'etag'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });

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

  it.each(byId(withCredentials))('%s says whether a token was missing or refused', async (_, operation) => {
    const challenge = async (credentials: { key?: string }) => {
      const { status, headers } = await product.call(
        operation.method,
        pathTo(operation, records),
        credentials,
      );
      return [status, headers['www-authenticate']];
    };
    expect(await challenge({})).toEqual([401, 'Bearer realm="Waymark"']);
    expect(await challenge({ key: mintApiKey() })).toEqual([
      401,
      'Bearer realm="Waymark", error="invalid_token"',
    ]);
  });

  it.each(byId(scoped))('%s names the scope that a key lacks', async (_, operation) => {
    const key = mine.serviceKeys.viewer;
    const { headers } = await product.call(operation.method, pathTo(operation, records), {
      key,
      ...validInput(operation, records, receiver.url),
    });
    const expected = 'Bearer realm="Waymark", error="insufficient_scope", scope="write"';
    expect(headers['www-authenticate']).toBe(expected);
  });

  it.each(byId(versioned))('%s may be stored by its reader, who asks again', async (_, operation) => {
    const { headers } = await call(operation, 'GET');
    expect(headers['cache-control']).toBe('private, no-cache');
    const again = await call(operation, 'GET', { headers: { 'if-none-match': headers['etag']! } });
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'private, no-cache']);
  });

  it.each(byId(finite))('%s is compressed if it is JSON of 1 KiB, and only then', async (_, operation) => {
    const { query = {} } = validInput(operation, records, receiver.url) as { query?: Record<string, string> };
    const url = `${product.url}${BASE_PATH}${pathTo(operation, records)}?${new URLSearchParams(query)}`;
    const get = (coding: string) =>
      fetch(url, { headers: { cookie, 'accept-encoding': coding }, redirect: 'manual' });
    const plain = await get('identity');
    const isJson = plain.headers.get('content-type')?.startsWith('application/json') === true;
    const isLarge = Number(plain.headers.get('content-length')) >= LEAST_COMPRESSED;
    for (const coding of ['gzip', 'br']) {
      const packed = await get(coding);
      const expected = isJson && isLarge ? coding : null;
      expect([coding, packed.headers.get('content-encoding')]).toEqual([coding, expected]);
      if (isJson) expect(typeof (await packed.json())).toBe('object');
      const { headers } = await call(operation, 'HEAD', { headers: { 'accept-encoding': coding } });
      for (const name of ['etag', 'content-encoding', 'vary'])
        expect([coding, name, headers[name] ?? null]).toEqual([coding, name, packed.headers.get(name)]);
    }
  });
}
