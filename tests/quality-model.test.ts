import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

/** Letters and no words: dq-1 counts them, dq-2 does not. */
const padded = { title: 'aaa bbb ccc ddd', description: 'd'.repeat(200), tags: ['a'] };

it('scores decisions with the model of their workspace, and keeps the score of others until they change', async () => {
  const owner = await product.workspace();
  const { workspaceId, cookie, key } = owner;
  const { key: serviceKey } = await product.createServiceKey(owner, 'member');
  const create = async (by: { key?: string; cookie?: string }) => {
    const { status, body } = await product.call('POST', '/decisions', {
      ...by,
      query: { workspaceId },
      body: padded,
    });
    expect(status).toBe(201);
    return body;
  };
  const old = await create({ key });
  expect(old).toMatchObject({ quality_model: 'dq-1', quality_score: 17 });

  const chosen = await product.call('PATCH', `/workspaces/${workspaceId}`, {
    cookie,
    body: { qualityModel: 'dq-2' },
  });
  expect(chosen.body).toMatchObject({ quality_model: 'dq-2' });
  for (const by of [{ key }, { key: serviceKey }, { cookie }])
    await eventually(async () => {
      expect(await create(by)).toMatchObject({ quality_model: 'dq-2', quality_score: 2 });
    });

  const quality = async () => (await product.call('GET', `/decisions/${old.id}/quality`, { key })).body;
  expect(await quality()).toMatchObject({ model: 'dq-1', score: 17 });
  const exported = (await product.call('GET', '/export', { cookie, query: { workspaceId } })).body;
  expect(exported.decisions.find(({ id }: { id: string }) => id === old.id).quality_model).toBe('dq-1');
  const edited = await product.call('PATCH', `/decisions/${old.id}`, { key, body: { tags: ['b'] } });
  expect(edited.body).toMatchObject({ quality_model: 'dq-2', quality_score: 2 });
  expect(await quality()).toMatchObject({ model: 'dq-2', score: 2 });
  const draft = await product.call('POST', '/quality', { key, body: padded });
  expect(draft.body).toMatchObject({ model: 'dq-2', score: 2 });
});
