import { expect, it } from '@jest/globals';
import { createWaymarkClient } from '@waymark/client/api';
import { callsOf } from './calls.ts';

const requests: Request[] = [];
const given: unknown[] = [];
const client = createWaymarkClient({
  baseUrl: 'http://waymark.test/v1',
  fetch: async (request: Request) => {
    requests.push(request);
    return request.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json({ id: 'a b' });
  },
});
client.use({ onRequest: ({ params }) => void given.push(params) });
const api = callsOf(client);

it('sends the input in the path, the query and the body, and returns the answer', async () => {
  const headers = { 'If-Match': '"v1"' };
  const input = { id: 'a b', workspaceId: 'w', body: { title: 'Changed' } };
  expect(await api.patch('/decisions/{id}', input, { headers })).toEqual({ id: 'a b' });
  expect(await api.delete('/views/{id}', { id: 'v' })).toBeUndefined();
  await api.get('/decisions', { status: ['proposed', 'accepted'], limit: 2 });
  expect(requests.map(({ method, url }) => `${method} ${url.replace('http://waymark.test/v1', '')}`)).toEqual(
    [
      'PATCH /decisions/a%20b?workspaceId=w',
      'DELETE /views/v',
      'GET /decisions?status=proposed,accepted&limit=2',
    ],
  );
  expect(given[0]).toEqual({ path: { id: 'a b' }, query: { workspaceId: 'w' } });
  expect(await requests[0]?.json()).toEqual({ title: 'Changed' });
  expect(requests[0]?.headers.get('if-match')).toBe('"v1"');
});

it('throws WaymarkError also for an answer that is not JSON, as of a proxy', async () => {
  const fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const behindProxy = callsOf(createWaymarkClient({ baseUrl: 'http://waymark.test/v1', fetch }));
  const error = expect.objectContaining({
    name: 'WaymarkError',
    status: 502,
    message: 'The answer was 502.',
  });
  await expect(behindProxy.get('/decisions', {})).rejects.toEqual(error);
});

it('has types that refuse a wrong input', () => {
  const isCompiled = () => [
    // @ts-expect-error: an unknown field
    api.post('/decisions', { body: { title: 'x', outcom: 'success' } }),
    // @ts-expect-error: an unknown parameter
    api.get('/decisions', { statu: ['accepted'] }),
    // @ts-expect-error: an unknown parameter beside a body
    api.patch('/decisions/{id}', { id: 'a', workspace: 'w', body: {} }),
    // @ts-expect-error: no id
    api.get('/decisions/{id}', { workspaceId: 'w' }),
    // @ts-expect-error: no body
    api.post('/views', {}),
    // @ts-expect-error: no input
    api.get('/decisions/{id}'),
    // @ts-expect-error: an operation that the path does not have
    api.put('/decisions', {}),
    // @ts-expect-error: an unknown header
    api.patch('/decisions/{id}', { id: 'a', body: {} }, { headers: { 'If-Matches': '"v1"' } }),
  ];
  expect(isCompiled).toBeInstanceOf(Function);
});
