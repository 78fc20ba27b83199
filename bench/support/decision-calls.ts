import type http from 'node:http';
import { BASE_PATH, internalHeaders } from '@waymark/contracts';
import { httpCall, keyPrincipal } from '@waymark/testing';
import type { Secrets } from '../../dev/secrets.ts';
import { gatewayIdentity } from './gateway-identity.ts';
import { newDecision } from './new-decision.ts';

export type Call = () => Promise<void>;

export interface KnownDecision {
  workspaceId: string;
  id: string;
}
/** A decisions process and the records of its database. */
export interface CalledProcess {
  url: string;
  known: readonly KnownDecision[];
}

/** A call that must succeed. */
async function ok(
  base: string,
  method: string,
  path: string,
  input: Parameters<typeof httpCall>[3],
): Promise<void> {
  const answer = await httpCall(base + BASE_PATH, method, path, input);
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
}

/** Calls to decisions in any of the workspaces, to its processes in turn, as the gateway sends them. */
export function decisionCalls(options: {
  called: readonly CalledProcess[];
  workspaceIds: readonly string[];
  secrets: Secrets;
  agent: http.Agent;
}) {
  const { called, workspaceIds, secrets, agent } = options;
  const identity = gatewayIdentity(secrets);
  const principals = new Map(workspaceIds.map((id) => [id, keyPrincipal({ workspace_id: id })]));
  let turn = 0;
  const next = () => {
    turn += 1;
    return called[turn % called.length]!;
  };

  async function send(url: string, workspaceId: string, method: string, path: string, input: object) {
    const token = await identity.sign(principals.get(workspaceId)!, 'decisions');
    const headers = { [internalHeaders.identity]: token };
    await ok(url, method, path, { agent, headers, query: { workspaceId }, ...input });
  }
  const inAny =
    (method: string, path: string, input: object = {}): Call =>
    () => {
      const workspaceId = workspaceIds[Math.floor(Math.random() * workspaceIds.length)]!;
      return send(next().url, workspaceId, method, path, input);
    };
  const toOne =
    (method: string, input: object = {}): Call =>
    () => {
      const { url, known } = next();
      const { workspaceId, id } = known[Math.floor(turn / called.length) % known.length]!;
      return send(url, workspaceId, method, `/decisions/${id}`, input);
    };
  return {
    'POST /decisions': inAny('POST', '/decisions', { body: newDecision }),
    'GET /decisions/{id}': toOne('GET'),
  };
}
