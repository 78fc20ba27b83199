import { describe, expect, it } from '@jest/globals';
import { type Answer, eventually } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();
const mine = await product.workspace();

const put = (segment: string, body: object = { title: 'From Jira' }, { key } = mine): Promise<Answer> =>
  product.call('PUT', `/decisions/by-external-id/${segment}`, { key, body });

describe('an external id in a path', () => {
  it('can have any character of text', async () => {
    for (const id of [
      'PROJ-1',
      'links',
      'a/b',
      'C:\\x',
      '50%',
      '%2F',
      'ÄÖ #1?',
      '日本',
      '...',
      'x'.repeat(200),
    ]) {
      const [created, repeated] = [await put(encodeURIComponent(id)), await put(encodeURIComponent(id))];
      expect([id, created.status, repeated.status]).toEqual([id, 201, 200]);
      expect([created.body.external_id, repeated.body.id]).toEqual([id, created.body.id]);
    }
  });

  it.each(['%20', 'a%00b', '%ED%A0%80', '%F0%9F', '%', '%E0%A4%A', 'x'.repeat(201)])(
    'is refused as %s',
    async (segment) => {
      const { status, body } = await put(segment);
      expect([status, body.error]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('is the only text that may have an encoded slash', async () => {
    for (const path of ['/decisions/a%2Fb', '/decisions%2Fby-external-id/a', '/docs/a%2Fb']) {
      const { status } = await product.call('PUT', path, { key: mine.key, body: { title: 'A' } });
      expect([path, status]).toEqual([path, 400]);
    }
  });
});

describe('an export of another system', () => {
  it('keeps its ids in an exported workspace, and loses them to those that are there', async () => {
    const [from, to] = [await product.workspace(), await product.workspace()];
    for (const id of ['PROJ-1', 'PROJ-2']) await put(id, { title: id }, from);
    const taken = await put('PROJ-1', { title: 'Taken' }, to);
    const exported = await product.call('GET', '/export', { key: from.key });
    const begun = await product.call('POST', '/imports', {
      key: to.key,
      query: { ids: 'remap' },
      rawBody: exported.text,
      headers: { 'content-type': 'application/json' },
    });
    const job = await eventually(async () => {
      const { body } = await product.call('GET', `/imports/${begun.body.id}`, { key: to.key });
      expect(body.status).toBe('succeeded');
      return body;
    });
    expect(job.warnings).toMatchObject([{ message: 'is left out: another record has it' }]);
    const { decisions } = (await product.call('GET', '/decisions', { key: to.key })).body;
    const named = decisions.map(({ external_id }: { external_id: string | null }) => external_id).sort();
    expect(named).toEqual(['PROJ-1', 'PROJ-2', null]);
    expect(decisions).toContainEqual(taken.body);
  });
});
