import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { eventually, type Stack } from '@waymark/testing';
import { MongoClient } from 'mongodb';
import { startProduct } from './support/product.ts';

let product: Stack;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

interface Tenant {
  key: string;
  workspaceId: string;
}

async function search({ key, workspaceId }: Tenant, q: string) {
  const { status, body } = await product.call('GET', '/search', { key, query: { workspaceId, q } });
  expect(status).toBe(200);
  return body;
}

const titles = (hits: { title: string }[]) => hits.map(({ title }) => title);

/** Waits until a search returns these hits in this order. */
const finds = (tenant: Tenant, q: string, expected: Record<string, string[]>) =>
  eventually(async () => {
    const { nodes, decisions, workflows } = await search(tenant, q);
    const found = { nodes: titles(nodes), decisions: titles(decisions), workflows: titles(workflows) };
    expect(found).toEqual({ nodes: [], decisions: [], workflows: [], ...expected });
  });

async function send(method: string, path: string, { key }: Tenant, body?: object) {
  const headers = method === 'PUT' ? { 'If-Match': '*' } : {};
  const answer = await product.call(method, path, { key, headers, ...(body && { body }) });
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
  return answer.body;
}

async function filled(): Promise<Tenant & { nodeId: string; workflowId: string; decisionId: string }> {
  const tenant = await product.workspace();
  const { workspaceId } = tenant;
  const { id: workflowId } = await send('POST', '/workflows', tenant, { workspaceId, title: 'Große Straße' });
  const place = { workflowId, workspaceId, type: 'task', positionX: 0, positionY: 0 };
  const { id: nodeId } = await send('POST', '/nodes', tenant, { ...place, title: 'Kerb' });
  await send('POST', `/threads/${nodeId}`, tenant, { content: 'Who paves the STRASSE?' });
  const decision = { workspaceId, question: 'Which straße first?', tags: ['roads'] };
  const { id: decisionId } = await send('POST', '/decisions', tenant, decision);
  return { ...tenant, nodeId, workflowId, decisionId };
}

describe('GET /search', () => {
  it('finds every text until it is changed or deleted', async () => {
    const tenant = await filled();
    const { nodeId, workflowId, decisionId, workspaceId } = tenant;
    await finds(tenant, 'Straße', {
      nodes: ['Kerb'],
      decisions: ['Which straße first?'],
      workflows: ['Große Straße'],
    });
    const [node] = (await search(tenant, 'straße')).nodes;
    expect(node.highlights).toEqual([expect.objectContaining({ field: 'message', start: 14, end: 21 })]);
    await send('PATCH', `/workflows/${workflowId}`, tenant, { title: 'Alley' });
    await send('DELETE', `/decisions/${decisionId}?workspaceId=${workspaceId}`, tenant);
    await finds(tenant, 'STRASSE', { nodes: ['Kerb'] });
    await send('DELETE', `/nodes/${nodeId}`, tenant);
    await finds(tenant, 'STRASSE', {});
    await finds(tenant, 'alley', { workflows: ['Alley'] });
  });

  it('reflects a replaced graph and a deleted workflow', async () => {
    const tenant = await filled();
    const { nodeId, workflowId } = tenant;
    const place = { type: 'task', positionX: 0, positionY: 0 };
    const nodes = [
      { ...place, id: nodeId, title: 'Kerb stone' },
      { ...place, id: crypto.randomUUID(), title: 'Milestone' },
    ];
    await send('PUT', `/workflows/${workflowId}/graph`, tenant, { nodes, edges: [] });
    await eventually(async () => {
      expect(titles((await search(tenant, 'STONE')).nodes).sort()).toEqual(['Kerb stone', 'Milestone']);
    });
    await send('PUT', `/workflows/${workflowId}/graph`, tenant, { nodes: nodes.slice(1), edges: [] });
    await finds(tenant, 'stone', { nodes: ['Milestone'] });
    await send('DELETE', `/workflows/${workflowId}`, tenant);
    await finds(tenant, 'stone', {});
  });

  it('returns everything again after one command has rebuilt a lost projection', async () => {
    const tenant = await filled();
    const whole = { nodes: ['Kerb'], decisions: ['Which straße first?'], workflows: ['Große Straße'] };
    await finds(tenant, 'strasse', whole);
    const database = `${product.env['NATS_PREFIX']}_search`;
    const mongo = new MongoClient(String(product.env['MONGODB_URL']));
    await mongo.db(database).collection('items').deleteMany({});
    await mongo.db(database).collection('workspaces').deleteMany({});
    await mongo.close();
    await finds(tenant, 'strasse', {});
    const env = { ...process.env, ...product.env, SEARCH_MONGODB_DATABASE: database, NODE_OPTIONS: '' };
    const command = ['--conditions=x-source', 'apps/cli/src/main.ts', 'search', 'rebuild'];
    await promisify(execFile)(process.execPath, command, { cwd: findRepositoryRoot(), env });
    await finds(tenant, 'strasse', whole);
  });
});
