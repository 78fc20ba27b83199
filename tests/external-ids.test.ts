import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, eventually, type Owner } from '@waymark/testing';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();
let mine: Owner & { key: string };
beforeAll(async () => {
  mine = await product.workspace();
});

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
  const issues = Array.from({ length: 12 }, (_, i) => ({ title: `Issue ${i}`, tags: ['jira'] }));

  it('changes nothing when it is imported a second time: no version, no event, no audit entry', async () => {
    const { workspaceId, key, cookie } = await product.workspace();
    const post = (path: string, body: object, headers = {}) =>
      product.call('POST', path, { key, body, headers });
    const { body: workflow } = await post('/workflows', { title: 'Sprint 7' });
    const decisions = issues.map((issue, i) => ({
      operation: 'putDecisionByExternalId',
      externalId: `PROJ-${i}`,
      body: {
        question: issue.title,
        tags: ['jira', 'jira '],
        status: 'accepted',
        expectedBy: '2027-01-31',
        optionsConsidered: ['A', 'B'],
        outcome: 'success',
        outcomeConfidence: 0.8,
      },
    }));
    const nodes = issues.map(({ title }, i) => ({
      operation: 'putNodeByExternalId',
      externalId: `LIN/${i}`,
      body: {
        ...{
          workflowId: workflow.id,
          type: 'task',
          title,
          positionX: i,
          positionY: 0,
          status: 'in_progress',
        },
        ...{ assignedTo: 'Mira', data: { estimate: 3, labels: ['ui'] } },
      },
    }));
    const operations = [...decisions, ...nodes];
    const inBatch = () => post('/batch', { operations }, { 'Batch-Size': String(operations.length) });
    const oneByOne = (operation: (typeof operations)[number]) => {
      const kind = operation.operation === 'putNodeByExternalId' ? 'nodes' : 'decisions';
      const path = `/${kind}/by-external-id/${encodeURIComponent(operation.externalId)}`;
      return product.call('PUT', path, { key, body: operation.body });
    };
    const statusAndBody = ({ status, body }: Answer) => [status, body];
    const { results: first, ...rest } = (await inBatch()).body;
    expect(rest).toEqual({});
    expect(first.map(({ status }: Answer) => status)).toEqual(operations.map(() => 201));
    const unchanged = first.map(({ body }: Answer) => [200, body]);
    const drawn = (await product.call('GET', `/workflows/${workflow.id}`, { key })).body;
    expect((await inBatch()).body.results.map(statusAndBody)).toEqual(unchanged);
    expect((await Promise.all(operations.map(oneByOne))).map(statusAndBody)).toEqual(unchanged);
    expect((await product.call('GET', `/workflows/${workflow.id}`, { key })).body).toEqual(drawn);

    // The events of these requests follow those of all requests before.
    await product.call('DELETE', `/decisions/${first[0].body.id}`, { key });
    await product.call('DELETE', `/nodes/${first[12].body.id}`, { key });
    const counts = (all: string[]) =>
      Object.fromEntries([...new Set(all)].sort().map((one) => [one, all.filter((x) => x === one).length]));
    await eventually(async () => {
      const query = { workspaceId, limit: 500 };
      const log = await product.call('GET', '/event-log', { key, query: { after: 0, limit: 500 } });
      const types = log.body.data.map(({ type }: { type: string }) => type);
      expect(counts(types.filter((type: string) => /^(decision|node)\./.test(type)))).toEqual({
        'decision.created': 12,
        'decision.deleted': 1,
        'decision.outcome_logged': 12,
        'node.created': 12,
        'node.deleted': 1,
      });
      const audit = await product.call('GET', '/audit-log', { cookie, query });
      const actions = audit.body.data.map(({ action }: { action: string }) => action);
      expect(counts(actions.filter((action: string) => /^(decision|node)\./.test(action)))).toEqual({
        'decision.create': 12,
        'decision.delete': 1,
        'node.create': 12,
        'node.delete': 1,
      });
    });
  });

  it('keeps its ids in an exported workspace, and loses them to those that are there', async () => {
    const [from, to] = [await product.workspace(), await product.workspace()];
    await put('PROJ-1', issues[0], from);
    await put('PROJ-2', issues[1], from);
    const taken = await put('PROJ-1', issues[2], to);
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
