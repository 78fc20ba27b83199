import http from 'node:http';
import { text } from 'node:stream/consumers';
import {
  BASE_PATH,
  type ExportCollection,
  exportCollections,
  internalHeaders,
  internalOperationList,
  internalOperations,
  newId,
  operationMatcher,
  type Principal,
  type Role,
} from '@waymark/contracts';
import type { Seams } from '@waymark/service-kit/runtime';
import { type Env, type OneService, startOne, testIdentity } from '@waymark/testing';
import { startTransfer } from '../src/service.ts';

const { beginDecisionsExport, beginWorkflowsExport, beginThreadsExport } = internalOperations;
const exports = { beginDecisionsExport, beginWorkflowsExport, beginThreadsExport };

/** What the doubled services hold for one workspace, and how they fail. */
export interface Held {
  id: string;
  name: string;
  members?: { user_id: string; name: string; role: Role }[];
  rows: Record<ExportCollection, unknown[]>;
  /** The moments of the requested pages. */
  moments: Set<string>;
  pagesRead: number;
  /** The requested numbers of rows, page by page. */
  limits: number[];
  /** Drops the connection instead of returning this page. The first page is 1. */
  breaksAtPage?: number;
  /** Drops every connection. */
  isAway?: boolean;
}

export interface TransferStack extends OneService {
  /** Returns the response as a stream. */
  stream(principal: Principal, path: string): Promise<http.IncomingMessage>;
  /** Creates a workspace. */
  hold(rows?: Partial<Held['rows']>): Held;
}

const PAGE = 2;

/** Starts the service on real stores, with doubles of accounts, decisions, workflows and threads. */
export async function startTransferStack(env: Env = {}, seams: Seams = {}): Promise<TransferStack> {
  const identity = testIdentity();
  const match = operationMatcher(
    internalOperationList.filter(
      ({ id }) => id.endsWith('Export') || ['resolveMembership', 'refreshCaller', 'findMembers'].includes(id),
    ),
  );
  const workspaces = new Map<string, Held>();

  function answer(id: string, held: Held | undefined, query: URLSearchParams): unknown {
    if (id === 'readWorkspaceForExport') return { workspace: held ? { id: held.id, name: held.name } : null };
    if (id === 'resolveMembership') return { membership: null, tags: {} };
    if (id === 'findMembers') return { members: held?.members ?? [] };
    if (id in exports) {
      const { schema } = exports[id as keyof typeof exports].response;
      const names: readonly ExportCollection[] = schema.shape.held.element.options;
      return { as_of: '7', held: names.filter((name) => held && held.rows[name].length > 0) };
    }
    const from = Number(query.get('after') ?? 0);
    const data = held!.rows[query.get('collection') as ExportCollection].slice(from, from + PAGE);
    held!.moments.add(String(query.get('asOf')));
    held!.pagesRead += 1;
    held!.limits.push(Number(query.get('limit')));
    const about = { count: data.length, next: data.length > 0 ? String(from + data.length) : null };
    return `${JSON.stringify(about)}\n${data.map((row) => `,${JSON.stringify(row)}`).join('')}`;
  }

  const peers = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://peer');
    const found = match(String(request.method), pathname);
    if (!found || 'allow' in found) throw new Error(`no such operation: ${request.method} ${pathname}`);
    const { operation, params } = found.match;
    const token = String(request.headers[internalHeaders.identity]);
    const principal = await identity.verify(token, operation.service);
    if (principal.type !== 'service') throw new Error('internal operations are for services');
    if (operation.id === 'refreshCaller') return response.end(await text(request));
    const held = workspaces.get(searchParams.get('workspaceId') ?? String(params['id']));
    if (held?.isAway) return request.socket.destroy();
    if (operation.path.endsWith('/rows') && held?.pagesRead === (held?.breaksAtPage ?? 0) - 1) {
      return request.socket.destroy();
    }
    const told = answer(operation.id, held, searchParams);
    return response.end(typeof told === 'string' ? told : JSON.stringify(told));
  });
  await new Promise<void>((listening) => peers.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(peers.address() as { port: number }).port}`;
  const service = await startOne(startTransfer, {
    env: { ACCOUNTS_URL: url, DECISIONS_URL: url, WORKFLOWS_URL: url, THREADS_URL: url, ...env },
    seams,
  });

  return {
    ...service,
    async stream(principal, path) {
      const headers = { [internalHeaders.identity]: await identity.sign(principal, 'transfer') };
      return new Promise((resolve, reject) => {
        http.get(service.url + BASE_PATH + path, { headers, agent: false }, resolve).on('error', reject);
      });
    },
    hold(rows = {}) {
      const none = Object.fromEntries(exportCollections.map((name) => [name, []])) as unknown as Held['rows'];
      const held: Held = {
        id: newId(),
        name: 'A workspace',
        rows: { ...none, ...rows },
        moments: new Set(),
        pagesRead: 0,
        limits: [],
      };
      workspaces.set(held.id, held);
      return held;
    },
    async stop() {
      await service.stop();
      peers.closeAllConnections();
      await new Promise((closed) => peers.close(closed));
    },
  };
}
