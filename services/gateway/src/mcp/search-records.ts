import { Highlight, limits } from '@waymark/contracts';
import { z } from 'zod';
import { type CallOperation, OperationRefused } from './operation-call.ts';
import { shown, shownSchema, summary } from './shown.ts';
import type { ToolContext } from './tools.ts';

type Arguments = Record<string, unknown>;

const HIGHLIGHTS_SHOWN = 3;

/** A result of search. Clients with a search of their own expect id, title and url. */
export const SearchHit = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['decision', 'workflow', 'node']),
  url: z.string().optional(),
  status: z.string().optional(),
  type: z.string().optional(),
  workflow_id: z.string().optional(),
  matches: z.array(shownSchema(Highlight)),
});

export async function searchRecords(
  call: CallOperation,
  { query, ...given }: Arguments,
  context: ToolContext,
) {
  const { decisions, workflows, nodes, next_cursors } = await call('search', {
    limit: limits.mcpPageSize,
    ...given,
    q: query,
  });
  const linkTo = links({ ...context, ...given });
  return {
    results: [
      ...decisions.map((hit) => shownHit(hit, 'decision', linkTo(`decisions/${hit.id}`))),
      ...workflows.map((hit) => shownHit(hit, 'workflow', linkTo(`workflows/${hit.id}`))),
      ...nodes.map((hit) => shownHit(hit, 'node', linkTo(`workflows/${hit.workflow_id}?node=${hit.id}`))),
    ],
    next_cursors: shown(next_cursors),
  };
}

export async function fetchRecord(call: CallOperation, given: Arguments, { publicUrl }: ToolContext) {
  const found = (
    kind: string,
    record: { id: string; title: string; workspace_id: string },
    path: string,
  ) => ({
    id: record.id,
    title: record.title,
    text: JSON.stringify(shown(record)),
    ...links({ publicUrl, workspaceId: record.workspace_id })(path),
    metadata: { kind },
  });
  const decision = await orNull(call('getDecision', given));
  if (decision) return found('decision', decision, `decisions/${decision.id}`);
  const workflow = await orNull(call('getWorkflow', given));
  if (workflow) return found('workflow', workflow, `workflows/${workflow.id}`);
  const node = await call('getNode', given);
  return found('node', node, `workflows/${node.workflow_id}?node=${node.id}`);
}

async function orNull<T>(record: Promise<T>): Promise<T | null> {
  try {
    return await record;
  } catch (error) {
    if (error instanceof OperationRefused && error.body['error'] === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Links to the console's pages, for people; absent while the workspace is unknown. */
const links =
  ({ publicUrl, workspaceId }: { publicUrl: string; workspaceId?: unknown }) =>
  (path: string) =>
    typeof workspaceId === 'string' ? { url: new URL(`/w/${workspaceId}/${path}`, publicUrl).href } : {};

function shownHit(
  { highlights, ...record }: { highlights: readonly object[] },
  kind: string,
  link: { url?: string },
) {
  const matches = highlights.slice(0, HIGHLIGHTS_SHOWN);
  return {
    ...shown(record),
    kind,
    ...link,
    matches: matches.map((match) => summary(match, ['field', 'message_id', 'excerpt'])),
  };
}
