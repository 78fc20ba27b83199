import { beforeAll, describe, expect, it } from '@jest/globals';
import { createWaymarkClient, unwrap, type WaymarkClient, WaymarkError } from '@waymark/client';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();
let client: WaymarkClient;
let workspaceId: string;
beforeAll(async () => {
  const workspace = await product.workspace();
  workspaceId = workspace.workspaceId;
  client = createWaymarkClient({ baseUrl: `${product.url}/v1`, apiKey: workspace.key });
});

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
