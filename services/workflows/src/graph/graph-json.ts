import { JsonParts } from '@waymark/service-kit/http';
import { jsonList } from '@waymark/service-kit/store';
import { edgeRows, nodeRows, workflowView } from '../records.ts';
import type { GraphSnapshot } from '../store/index.ts';

/** A page that contains the whole list. */
const wholeList = (list: Buffer) => new JsonParts(['{"data":', list, ',"next_cursor":null}']);

const nodesOf = async ({ nodes }: GraphSnapshot) => jsonList(await nodes(), nodeRows);
const edgesOf = async ({ edges }: GraphSnapshot) => jsonList(await edges(), edgeRows);

export const allNodes = async (snapshot: GraphSnapshot): Promise<JsonParts> =>
  wholeList(await nodesOf(snapshot));
export const allEdges = async (snapshot: GraphSnapshot): Promise<JsonParts> =>
  wholeList(await edgesOf(snapshot));

/** Returns the same JSON as `graphView`, from stored bytes. */
export async function wholeGraph(snapshot: GraphSnapshot): Promise<JsonParts> {
  const { workflow } = snapshot;
  const head = JSON.stringify(workflowView(workflow)).slice(0, -1);
  const [nodes, edges] = await Promise.all([nodesOf(snapshot), edgesOf(snapshot)]);
  return new JsonParts([`${head},"nodes":`, nodes, ',"edges":', edges, '}'], workflow.version);
}
