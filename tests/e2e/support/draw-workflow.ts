import { newId } from '@waymark/contracts';
import type { Locator, Page } from 'playwright-core';
import type { Person } from './person.ts';
import type { ConsoleUnderTest } from './use-console.ts';

/** A node on the canvas, by its title. */
export const node = (page: Page, title: string): Locator =>
  page.locator('.react-flow__node', { hasText: title });

/** An edge on the canvas, by the titles of its ends. */
export const edge = (page: Page, from: string, to: string): Locator =>
  page.getByLabel(`From ${from} to ${to}`);

interface Drawn {
  /** The path of its page in the workspace. */
  path: string;
  workflowId: string;
  /** The ids of the nodes, by title. */
  ids: Record<string, string>;
  graph(): Promise<{ nodes: Record<string, unknown>[]; edges: Record<string, unknown>[] }>;
}

/** Creates a workflow with tasks of these titles in a row. Edges are given as `A>B`. */
export async function drawWorkflow(
  owner: Person,
  titles: string[],
  joined: string[] = [],
  options: object = {},
): Promise<Drawn> {
  const workflow = await owner.call('POST', '/workflows', { title: 'Release', ...options });
  const path = `/workflows/${workflow.id}`;
  const ids = Object.fromEntries(titles.map((title) => [title, newId()]));
  const nodes = titles.map((title, at) => ({
    ...{ id: ids[title], type: 'task', title, positionX: at * 300, positionY: 0 },
  }));
  const ends = joined.map((pair) => pair.split('>').map((title) => ids[title]));
  const edges = ends.map(([sourceId, targetId]) => ({ sourceId, targetId }));
  await owner.call('PUT', `${path}/graph`, { nodes, edges });
  return {
    path: path.slice(1),
    workflowId: workflow.id,
    ids,
    graph: () => owner.call('GET', `${path}/graph`),
  };
}

/** Creates such a workflow of a new owner, and opens it. */
export async function openWorkflow(
  app: ConsoleUnderTest,
  titles: string[],
  joined?: string[],
  options?: object,
) {
  const owner = await app.signUp();
  const drawn = await drawWorkflow(owner, titles, joined, options);
  return { owner, ...drawn, page: await owner.open(drawn.path) };
}
