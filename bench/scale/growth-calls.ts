import http from 'node:http';
import type { Call } from '../support/decision-calls.ts';
import { makeTexts } from '../support/texts.ts';
import { type CallAsOwner, draftOf, RARE_WORD, type Scene } from './growth-workspace.ts';
import { type LiveEvents, listen } from './live-events.ts';

const OUTCOMES = ['success', 'partial', 'failure'];

export interface GrowthCallsOptions {
  call: CallAsOwner;
  baseUrl: string;
  workspaceId: string;
  cookie: string;
  scene: Scene;
  /** Ids of existing decisions. */
  decisionIds: readonly string[];
}

/**
 * The main operations of every service as calls through the gateway, each cycling through several records.
 */
export function growthCalls(options: GrowthCallsOptions): Record<string, Call> {
  const { call, baseUrl, workspaceId, cookie, scene, decisionIds } = options;
  const { nodeId, webhookId } = scene;
  const texts = makeTexts(2);
  const common = texts.words.find((word) => word.length > 4)!;
  let turn = 0;
  let live: Promise<LiveEvents> | undefined;
  const next = <T>(among: readonly T[]): T => {
    turn += 1;
    return among[turn % among.length]!;
  };
  const get = (path: string) => send('GET', () => path);
  const inWorkspace = (path: string) =>
    get(`${path}${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`);
  const ofDecision = (rest = '') =>
    send('GET', () => `/decisions/${next(decisionIds)}${rest}?workspaceId=${workspaceId}`);
  const post = (path: string, body: () => object) =>
    send(
      'POST',
      () => path,
      () => ({ workspaceId, ...body() }),
    );
  const changeDecision = (fields: () => object) =>
    send(
      'PATCH',
      () => `/decisions/${next(decisionIds)}`,
      () => ({ workspaceId, ...fields() }),
    );
  function send(method: string, path: () => string, body?: () => object): Call {
    return async () => {
      await call(method, path(), body?.());
    };
  }

  return {
    'POST /decisions, with a webhook': post('/decisions', () => draftOf(texts)),
    'PATCH /decisions/{id}': changeDecision(() => ({ resolution: `MongoDB, said ${turn} times` })),
    'PATCH /decisions/{id}, its outcome': changeDecision(() => ({
      // Random, so that it differs from an earlier run.
      outcome: OUTCOMES[Math.floor(Math.random() * OUTCOMES.length)],
      outcomeNotes: `As seen ${turn} times`,
    })),
    'GET /decisions/{id}': ofDecision(),
    'GET /decisions/{id}/history': ofDecision('/history'),
    'GET /decisions/{id}/outcomes': ofDecision('/outcomes'),
    'GET /decisions': inWorkspace('/decisions?limit=100'),
    'GET /decisions, of a status': inWorkspace('/decisions?limit=100&status=accepted'),
    'GET /metrics': inWorkspace('/metrics'),
    'GET /export, its first rows': () => firstPiece(options),
    'GET /workflows': inWorkspace('/workflows'),
    'GET /workflows/{id}/graph': send('GET', () => `/workflows/${next(scene.graphs).id}/graph`),
    'PUT /workflows/{id}/graph, a node moved': moveNode,
    'POST /nodes': post('/nodes', () => {
      const { workflowId } = next(scene.drafts);
      return { workflowId, type: 'task', title: texts.text(30), positionX: turn, positionY: 0 };
    }),
    'GET /threads/{nodeId}': get(`/threads/${nodeId}`),
    'POST /threads/{nodeId}': send(
      'POST',
      () => `/threads/${next(scene.drafts).nodeId}`,
      () => ({ content: texts.text(80) }),
    ),
    'GET /search, a common word': inWorkspace(`/search?q=${common}`),
    'GET /search, a rare word': inWorkspace(`/search?q=${RARE_WORD}`),
    'GET /audit-log': inWorkspace('/audit-log'),
    'GET /audit-log, of an action': inWorkspace('/audit-log?action=workflow.create'),
    'GET /webhooks': inWorkspace('/webhooks'),
    'GET /webhooks/{id}/deliveries': get(`/webhooks/${webhookId}/deliveries`),
    'GET /webhooks/{id}/stats': get(`/webhooks/${webhookId}/stats`),
    'GET /members': inWorkspace('/members'),
    'GET /api-keys': inWorkspace('/api-keys'),
    // Last, because it opens an event stream.
    'GET /events, from POST /decisions to its event': untilTold,
  };

  async function untilTold(): Promise<void> {
    live ??= listen(`${baseUrl}/events?workspaceId=${workspaceId}`, { cookie });
    const { arrived } = await live;
    const { body } = await call('POST', '/decisions', { workspaceId, ...draftOf(texts) });
    await arrived(body.id);
  }

  async function moveNode(): Promise<void> {
    const { id, nodes, edges } = next(scene.graphs);
    const moved = { ...nodes[0]!, positionX: turn };
    const body = { nodes: [moved, ...nodes.slice(1)], edges };
    await call('PUT', `/workflows/${id}/graph`, body, { 'If-Match': '*' });
  }
}

/** An export until its first bytes; the total time depends on the number of rows. */
function firstPiece({ baseUrl, workspaceId, cookie }: GrowthCallsOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const url = `${baseUrl}/export?workspaceId=${workspaceId}`;
    http
      .get(url, { agent: false, headers: { cookie } }, (response) => {
        response.once('data', () => {
          response.destroy();
          if (response.statusCode === 200) resolve();
          else reject(new Error(`GET /export answered ${response.statusCode}`));
        });
      })
      .once('error', reject);
  });
}
