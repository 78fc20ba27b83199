import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAccounts } from '@waymark/accounts';
import { newId } from '@waymark/contracts';
import { startGateway } from '@waymark/gateway';
import {
  type EventSource,
  eventually,
  type Owner,
  openEventSource,
  type Stack,
  startStack,
} from '@waymark/testing';
import { startWorkflows } from '@waymark/workflows';

let product: Stack;
let owner: Owner & { key: string };

beforeAll(async () => {
  // The clock does not advance: cached callers never expire, so only an announcement can end a stream.
  const stoppedAt = Date.now();
  const services = { accounts: startAccounts, workflows: startWorkflows, gateway: startGateway };
  product = await startStack(services, { seams: { now: () => stoppedAt } });
  owner = await product.workspace();
});
afterAll(() => product.stop());

const listen = (headers: Record<string, string>, workspaceId = owner.workspaceId) =>
  openEventSource(`${product.url}/v1/events?workspaceId=${workspaceId}`, headers);
const ready = (source: EventSource) =>
  eventually(() => source.messages.some(({ event }) => event === 'ready'));

describe('the live stream of a workspace', () => {
  it('reports changed nodes to a canvas, with the version that a later read returns', async () => {
    const source = await listen({ cookie: owner.cookie });
    await ready(source);
    const { key } = owner;
    const workflow = await product.call('POST', '/workflows', {
      key,
      body: { workspaceId: owner.workspaceId, title: 'A canvas' },
    });
    const headers = { 'x-request-id': 'canvas-tab-0001' };
    const node = await product.call('POST', '/nodes', {
      key,
      headers,
      body: {
        workspaceId: owner.workspaceId,
        workflowId: workflow.body.id,
        type: 'task',
        title: 'Look closer',
        positionX: 0,
        positionY: 0,
      },
    });
    await product.call('PATCH', `/nodes/${node.body.id}`, { key, body: { positionX: 80 } });
    const told = await eventually(() => {
      const found = source.messages
        .map(({ data }) => data)
        .filter(({ subject }) => subject?.id === node.body.id);
      return found.length === 2 ? found : false;
    });
    expect(told).toEqual([
      expect.objectContaining({
        type: 'node.created',
        workflow_id: workflow.body.id,
        request_id: 'canvas-tab-0001',
        subject: { type: 'node', id: node.body.id, version: 1 },
      }),
      expect.objectContaining({
        type: 'node.updated',
        changed: ['position_x'],
        subject: { type: 'node', id: node.body.id, version: 2 },
      }),
    ]);
    source.close();
  });

  it('tells sessions who views a workflow, and keys nothing of it', async () => {
    const { workspaceId, cookie, key } = owner;
    const member = await product.signUp('A Viewer');
    await product.addMember(owner, member, 'viewer');
    const stranger = await product.workspace();
    const [asOwner, asKey, elsewhere] = await Promise.all([
      listen({ cookie }),
      listen({ authorization: `Bearer ${key}` }),
      listen({ cookie: stranger.cookie }, stranger.workspaceId),
    ]);
    await Promise.all([asOwner, asKey, elsewhere].map(ready));
    const [nodeId, tab] = [newId(), newId()];
    const workflowOf = async (at: { workspaceId: string; cookie: string }) => {
      const body = { workspaceId: at.workspaceId, title: 'Viewed' };
      return (await product.call('POST', '/workflows', { cookie: at.cookie, body })).body.id as string;
    };
    const workflowId = await workflowOf(owner);
    const report = (more: Record<string, string> = {}) => {
      const query = { workspaceId, workflowId, tab, ...more };
      return product.call('POST', '/presence', { cookie: member.cookie, query });
    };
    const viewer = { user_id: member.userId, name: 'A Viewer', workflow_id: workflowId, tab };
    const entered = await report();
    const expected = { ...viewer, node_id: null, left: false };
    expect([entered.status, entered.body]).toEqual([200, { data: [expected] }]);
    expect((await report({ nodeId })).body.data).toEqual([{ ...expected, node_id: nodeId }]);
    expect((await report({ left: 'true' })).body.data).toEqual([]);
    const told = await eventually(() => {
      const found = asOwner.messages.filter(({ event }) => event === 'presence');
      return found.length === 3 ? found.map(({ data }) => [data.node_id, data.left]) : false;
    });
    expect(told).toEqual([
      [null, false],
      [nodeId, false],
      [null, true],
    ]);
    for (const source of [asKey, elsewhere])
      expect(source.messages.filter(({ event }) => event === 'presence')).toEqual([]);
    for (const other of ['x', newId(), await workflowOf(stranger)]) {
      const refused = await report({ workflowId: other });
      expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'workflowId']);
    }
    expect(
      (await product.call('POST', '/presence', { key, query: { workspaceId, workflowId, tab } })).status,
    ).toBe(403);
    for (const source of [asOwner, asKey, elsewhere]) source.close();
  });

  it('ends for a user who signs out, and for a removed member', async () => {
    const member = await product.signUp('A Member');
    const memberId = await product.addMember(owner, member, 'viewer');
    const asMember = await listen({ cookie: member.cookie });
    const asOwner = await listen({ cookie: owner.cookie });
    await Promise.all([ready(asMember), ready(asOwner)]);
    await product.call('DELETE', `/members/${memberId}`, { cookie: owner.cookie });
    await asMember.ended;
    await product.call('POST', '/auth/sign-out', { cookie: owner.cookie });
    await asOwner.ended;
  });
});
