import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { limits } from '@waymark/contracts';
import { type CallOperation, OperationRefused } from './operation-call.ts';
import { shown } from './shown.ts';
import { visible } from './visible.ts';

const MIME_TYPE = 'application/json';
const DECISIONS = 'waymark://decisions/';
const OPEN = `${DECISIONS}open`;

const decisionUri = (id: string) => DECISIONS + id;

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: `${DECISIONS}{id}`,
    name: 'decision',
    title: 'A decision',
    description: 'A decision with all its fields',
    mimeType: MIME_TYPE,
  },
];

/** Lists the open (proposed) decisions of the workspace, each as a resource, and all as one resource. */
export async function listResources(call: CallOperation, cursor?: string): Promise<ListResourcesResult> {
  const { decisions, next_cursor } = await protocolErrors(() => openDecisions(call, cursor));
  const all = { uri: OPEN, name: 'open-decisions', title: 'Open decisions', mimeType: MIME_TYPE };
  const each = decisions.map(({ id, title }) => ({
    ...{ uri: decisionUri(id), name: id, title: visible(title), mimeType: MIME_TYPE },
  }));
  return {
    resources: cursor === undefined ? [all, ...each] : each,
    ...(next_cursor !== null && { nextCursor: next_cursor }),
  };
}

export async function readResource(
  call: CallOperation,
  uri: string,
  note: string,
): Promise<ReadResourceResult> {
  const id = uri.startsWith(DECISIONS) ? uri.slice(DECISIONS.length) : '';
  if (id === '' || id.includes('/')) throw new ResourceNotFoundError(uri);
  const data = await protocolErrors(async () =>
    uri === OPEN
      ? { decisions: (await openDecisions(call)).decisions.map((one) => shown(one)) }
      : { decision: shown(await call('getDecision', { id })) },
  );
  return { contents: [{ uri, mimeType: MIME_TYPE, text: JSON.stringify(visible({ note, ...data })) }] };
}

const openDecisions = (call: CallOperation, cursor?: string) =>
  call('listDecisions', { status: 'proposed', limit: limits.mcpPageSizeMax, cursor });

/** Refusals that say that the URI or the cursor is wrong. */
const OF_THE_URI = new Set(['NOT_FOUND', 'VALIDATION_ERROR', 'WORKSPACE_MISMATCH']);

/** Turns refusals into errors of the protocol, because results for resources have no `isError`. */
async function protocolErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    const { error: code, message, ...details } = visible(error.body);
    const kind = OF_THE_URI.has(String(code))
      ? ProtocolErrorCode.InvalidParams
      : ProtocolErrorCode.InternalError;
    throw new ProtocolError(kind, `${code}: ${message}`, details);
  }
}
