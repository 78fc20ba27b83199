import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { graphNodes, nodeBody, startWorkflowsStack, type WorkflowsStack } from './workflows-stack.ts';

let stack: WorkflowsStack;
beforeAll(async () => {
  stack = await startWorkflowsStack();
});
afterAll(() => stack.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

describe('data', () => {
  it.each([
    ['keys with $', '{"$set":{"title":"x"},"$where":"1"}'],
    ['keys with .', '{"a.b.c":1,".":{"..":2}}'],
    ['empty keys, or keys that MongoDB uses', '{"":0,"_id":"x","__v":1}'],
    ['names of methods', '{"toString":1,"hasOwnProperty":false,"valueOf":null}'],
    ['deep values of every kind', '{"a":[null,true,-0.5,1e21,"é\u2028😀",[],{}]}'],
  ])('is returned unchanged with %s', async (_, json) => {
    const { call, workflow, workspaceId } = stack.space();
    const fields = JSON.stringify(nodeBody(workspaceId, await workflow())).slice(0, -1);
    const made = await call('POST', '/nodes', { rawBody: `${fields},"data":${json}}`, headers: JSON_TYPE });
    expect(made.status).toBe(201);
    const read = await call('GET', `/nodes/${made.body.id}`);
    expect(JSON.stringify(read.body.data)).toBe(JSON.stringify(JSON.parse(json)));
    const patched = await call('PATCH', `/nodes/${made.body.id}`, {
      rawBody: `{"data":{"in":${json}}}`,
      headers: JSON_TYPE,
    });
    expect(JSON.stringify(patched.body.data)).toBe(JSON.stringify({ in: JSON.parse(json) }));
  });

  it.each([
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['__proto__ below', '{"a":[{"__proto__":1}]}'],
    ['constructor', '{"constructor":{"prototype":1}}'],
    ['NUL', '{"a":"\\u0000"}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['an array', '[1]'],
    ['text', '"x"'],
    ['null', 'null'],
  ])('refuses %s', async (_, json) => {
    const { call, workflow, workspaceId, nodes } = stack.space();
    const workflowId = await workflow();
    const fields = JSON.stringify(nodeBody(workspaceId, workflowId)).slice(0, -1);
    const answer = await call('POST', '/nodes', { rawBody: `${fields},"data":${json}}`, headers: JSON_TYPE });
    expect([answer.status, answer.body.error]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.issues[0].path).toMatch(/^data/);
    expect(await nodes(workflowId)).toEqual([]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('has at most 10 levels and 64 KiB', async () => {
    const { call, workflow, node } = stack.space();
    const id = await node(await workflow());
    const patch = async (data: object) => (await call('PATCH', `/nodes/${id}`, { body: { data } })).status;
    expect(await patch(nested(limits.nodeDataDepth))).toBe(200);
    expect(await patch(nested(limits.nodeDataDepth + 1))).toBe(400);
    const bomb = `{"data":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`;
    expect((await call('PATCH', `/nodes/${id}`, { rawBody: bomb, headers: JSON_TYPE })).status).toBe(400);
    expect(await patch(sized(limits.nodeDataBytes))).toBe(200);
    expect(await patch(sized(limits.nodeDataBytes + 1))).toBe(400);
    expect((await call('PATCH', `/nodes/${id}`, { body: { data: sized(2_000_000) } })).status).toBe(413);
  });

  it('has at most 16 MiB in a whole workflow, with an exact count', async () => {
    const space = stack.space();
    const { call, workflow, node, put, workspaceId } = space;
    const workflowId = await workflow();
    const full = sized(limits.nodeDataBytes);
    const others = limits.graphFreeFormBytes / limits.nodeDataBytes - 1;
    // Half of them in one request, the rest one by one: together they exceed the size of a body.
    const nodes = graphNodes(Math.ceil(others / 2), { data: full });
    expect((await put(workflowId, { nodes, edges: [] })).status).toBe(200);
    for (let left = nodes.length - 1; left > 0; left -= 1) await node(workflowId, { data: full });
    const last = await node(workflowId, { data: sized(limits.nodeDataBytes - 1) });
    const resize = (data: object) => call('PATCH', `/nodes/${last}`, { body: { data } });
    const another = () => call('POST', '/nodes', { body: nodeBody(workspaceId, workflowId) });

    const tooMuch = await another();
    expect([tooMuch.status, tooMuch.body.error]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect((await resize(full)).status).toBe(200);
    expect((await another()).status).toBe(409);
    expect((await resize({})).status).toBe(200);
    expect((await another()).status).toBe(201);

    // More than MongoDB returns in one reply.
    const { body } = await call('GET', `/workflows/${workflowId}/graph`);
    const ids = body.nodes.map((stored: { id: string }) => stored.id);
    expect([ids.length, new Set(ids).size]).toEqual([others + 2, others + 2]);
    expect(await space.nodes(workflowId)).toEqual(body.nodes);
  });
});
