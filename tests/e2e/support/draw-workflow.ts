import { expect } from '@jest/globals';
import type { Owner, StackClient } from '@waymark/testing';
import type { Locator, Page } from 'playwright-core';

/** A node on the canvas, by its title. */
export const node = (page: Page, title: string): Locator =>
  page.locator('.react-flow__node', { hasText: title });

/** An edge on the canvas, by the titles of its ends. */
export const edge = (page: Page, from: string, to: string): Locator =>
  page.getByLabel(`From ${from} to ${to}`);

interface Drawn {
  owner: Owner;
  path: string;
  workflowId: string;
  /** The ids of the nodes, by title. */
  ids: Record<string, string>;
  graph(): Promise<{ nodes: Record<string, unknown>[]; edges: Record<string, unknown>[] }>;
}

/** Creates a workflow of a new owner, with tasks of these titles in a row. Edges are given as `A>B`. */
export async function drawWorkflow(
  product: StackClient,
  titles: string[],
  joined: string[] = [],
  options = {},
): Promise<Drawn> {
  const owner = await product.signUp();
  const { cookie, workspaceId } = owner;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await product.call(method, path, { cookie, ...(body && { body }) });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };
  const { id: workflowId } = await call('POST', '/workflows', { workspaceId, title: 'Release', ...options });
  const ids: Record<string, string> = {};
  for (const [i, title] of titles.entries()) {
    const body = { workspaceId, workflowId, type: 'task', title, positionX: i * 300, positionY: 0 };
    ids[title] = (await call('POST', '/nodes', body)).id;
  }
  for (const [sourceId, targetId] of joined.map((pair) => pair.split('>').map((title) => ids[title]))) {
    await call('POST', '/edges', { workflowId, sourceId, targetId });
  }
  const path = `/w/${workspaceId}/workflows/${workflowId}`;
  return { owner, path, workflowId, ids, graph: () => call('GET', `/workflows/${workflowId}/graph`) };
}
