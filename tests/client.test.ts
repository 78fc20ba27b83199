import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createWaymark, createWaymarkClient, unwrap, WaymarkError } from '@waymark/client';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();
const workspace = await product.workspace();
const workspaceId = workspace.workspaceId;
const client = createWaymarkClient({ baseUrl: `${product.url}/v1`, apiKey: workspace.key });

describe('@waymark/client', () => {
  it('writes, reads and lists with an API key', async () => {
    const params = { query: { workspaceId } };
    const created = await unwrap(client.POST('/decisions', { params, body: { title: 'By the client' } }));
    const path = { id: created.id };
    const read = await unwrap(client.GET('/decisions/{id}', { params: { ...params, path } }));
    expect(read).toEqual(created);
    const { decisions } = await unwrap(client.GET('/decisions', { params }));
    expect(decisions.map(({ title }) => title)).toEqual(['By the client']);
  });

  it('throws a refusal with its code, its fields and the request id', async () => {
    const refused = unwrap(
      client.POST('/decisions', { params: { query: { workspaceId } }, body: { title: '' } }),
    );
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WaymarkError);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
    expect((error as WaymarkError).issues.map(({ path }) => path)).toContain('title');
    expect((error as WaymarkError).requestId).toMatch(/^[\w-]{36}$/);
  });

  it('has types that refuse a wrong body', () => {
    const path = { id: workspaceId };
    const byId = { params: { path: { externalId: 'a' } } };
    const isCompiled = () => [
      // @ts-expect-error: an unknown field
      client.POST('/decisions', { body: { titel: 'x' } }),
      // @ts-expect-error: an unknown field beside a known one
      client.POST('/decisions', { body: { title: 'x', outcom: 'success' } }),
      // @ts-expect-error: a number
      client.POST('/decisions', { body: { title: 3 } }),
      // @ts-expect-error: neither a title nor a question
      client.POST('/decisions', { body: {} }),
      client.POST('/decisions', { body: { question: 'Which queue?' } }),
      // @ts-expect-error: no body
      client.POST('/decisions', {}),
      // @ts-expect-error: an unknown field
      client.PATCH('/decisions/{id}', { params: { path }, body: { outcom: 'success' } }),
      // @ts-expect-error: an unknown value
      client.PATCH('/decisions/{id}', { params: { path }, body: { outcome: 'sucess' } }),
      // @ts-expect-error: a number
      client.PUT('/decisions/by-external-id/{externalId}', { ...byId, body: { title: 3 } }),
      // @ts-expect-error: an unknown parameter
      client.GET('/decisions', { params: { query: { statu: 'accepted' } } }),
    ];
    expect(isCompiled).toBeInstanceOf(Function);
  });

  it('resolves to undefined when the response has no body', async () => {
    const params = { query: { workspaceId } };
    const { id } = await unwrap(client.POST('/decisions', { params, body: { title: 'Short lived' } }));
    const gone = client.DELETE('/decisions/{id}', { params: { ...params, path: { id } } });
    expect(await unwrap(gone)).toBeUndefined();
  });
});

describe('the methods of @waymark/client', () => {
  it('call operations by their names, with ids first, and read one page or all', async () => {
    const { key } = await product.workspace();
    const waymark = createWaymark({ baseUrl: product.url, apiKey: key });
    for (const title of ['a', 'b', 'c']) await waymark.decisions.create({ title, tags: ['listed'] });
    const page = await waymark.decisions.list({ status: ['proposed', 'accepted'], sort: 'title', limit: 2 });
    expect(page.decisions.map(({ title }) => title)).toEqual(['a', 'b']);
    const titles: string[] = [];
    for await (const { title } of waymark.decisions.list({ sort: 'title', limit: 2 })) titles.push(title);
    expect(titles).toEqual(['a', 'b', 'c']);
    const [first] = page.decisions;
    const changed = await waymark.decisions.update(
      first!.id,
      { outcome: 'success' },
      { ifMatch: first!.version },
    );
    expect(changed).toMatchObject({ version: 2, outcome: 'success' });
    expect(await (await waymark.decisions.exportCsv()).text()).toContain('success');
    const { results } = await waymark.batch({
      operations: [{ operation: 'deleteDecision', id: first!.id }],
    });
    expect(results.map(({ status }) => status)).toEqual([204]);
    await expect(waymark.decisions.delete(first!.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const isCompiled = () => [
      // @ts-expect-error: an unknown field
      waymark.decisions.create({ titel: 'x' }),
      // @ts-expect-error: neither a title nor a question
      waymark.decisions.create({}),
      // @ts-expect-error: an unknown field beside a known one
      waymark.decisions.create({ title: 'x', outcom: 'success' }),
      // @ts-expect-error: neither a title nor a question
      waymark.decisions.putByExternalId('a', { status: 'accepted' }),
      // @ts-expect-error: an unknown value
      waymark.decisions.list({ status: ['acepted'] }),
      // @ts-expect-error: no id
      waymark.decisions.get(),
    ];
    expect(isCompiled).toBeInstanceOf(Function);
  });

  it('leave room in answers for values of a newer server, and none in requests', () => {
    type Decisions = ReturnType<typeof createWaymark>['decisions'];
    const isCompiled = async (decisions: Decisions) => {
      const { status } = await decisions.get('id');
      const isNewer = status === 'archived_by_policy';
      // @ts-expect-error: an answer may have a value that a request must not have
      return [isNewer, decisions.update('id', { status })];
    };
    expect(isCompiled).toBeInstanceOf(Function);
  });

  it('import a file, and return nothing for an answer without a body', async () => {
    const { key } = await product.workspace();
    const waymark = createWaymark({ baseUrl: `${product.url}/v1/`, apiKey: key });
    const made = await waymark.decisions.create({ title: 'Deleted' });
    expect(await waymark.decisions.delete(made.id)).toBeUndefined();
    const file = new Blob([JSON.stringify(await waymark.export.workspace())]);
    expect(await waymark.imports.create(file, { dryRun: true })).toMatchObject({ dry_run: true });
  });

  it('say their version, give up in time, and print what an operator needs', async () => {
    const seen: Headers[] = [];
    const silent = (request: Request) => {
      seen.push(request.headers);
      return new Promise<Response>((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    };
    const options = { baseUrl: 'http://localhost', apiKey: 'wmk_x', retries: 0, fetch: silent };
    const patient = createWaymark(options);
    await expect(patient.whoami(undefined, { timeoutMs: 1 })).rejects.toMatchObject({ name: 'TimeoutError' });
    const hasty = createWaymark({ ...options, timeoutMs: 1 });
    await expect(hasty.whoami()).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(seen.map((headers) => headers.get('user-agent'))).toEqual(
      Array(2).fill(expect.stringMatching(/^waymark-typescript\/\d/)),
    );
    const { key } = await product.workspace();
    const waymark = createWaymark({ baseUrl: product.url, apiKey: key });
    const error = await waymark.decisions.get(randomUUID()).catch((thrown: unknown) => thrown);
    const { message, requestId, docs } = error as WaymarkError;
    expect(docs).toBe(`${product.url}/docs/errors/NOT_FOUND`);
    const text = `NOT_FOUND: ${message} (request ${requestId}) See ${docs}`;
    expect([String(error), (error as WaymarkError).stack]).toEqual([
      `WaymarkError: ${text}`,
      expect.stringContaining(text),
    ]);
  });
});
