import http from 'node:http';
import {
  hashSecret,
  internalHeaders,
  type KeyPrincipal,
  type Membership,
  mintApiKey,
  newId,
  type Role,
} from '@waymark/contracts';
import { baseEnvironment, readEnvironment } from '@waymark/service-kit/process';
import { openRuntime, type Runtime } from '@waymark/service-kit/runtime';
import { type Env, keyPrincipal } from '@waymark/testing';

export interface DoubledKey {
  key: string;
  principal: KeyPrincipal;
  allowedIps: string[];
  expiresAt: string | null;
  version: number;
}

export interface DoubledSession {
  cookie: string;
  token: string;
  userId: string;
  expiresAt: string;
  version: number;
  secondFactor?: true;
}

/** A test double of accounts: a real server with keys of a test, which announces changes. */
export interface AccountsDouble {
  url: string;
  runtime: Runtime;
  createKey(
    overrides?: Partial<KeyPrincipal>,
    extra?: { allowedIps?: string[]; expiresAt?: string },
  ): DoubledKey;
  createSession(overrides?: { userId?: string; expiresAt?: string; secondFactor?: true }): DoubledSession;
  join(userId: string, membership: Membership | { workspace_id: string; role: Role }): void;
  /** Changes a user's role, or removes it with null, and announces the change as accounts does. */
  change(userId: string, membership: { workspace_id: string; role: Role | null }): Promise<void>;
  /** Revokes the key and announces that before it resolves, as accounts does. */
  revoke(key: DoubledKey): Promise<void>;
  /** Returns how many look-ups of keys have arrived. */
  lookUps(): number;
  uses: { key_id: string; at: string }[];
  /** Handles every request that is not for an internal operation. */
  respond: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  /** Delays the answers to the look-ups of a key until the returned function is called. */
  hold(key: DoubledKey): () => void;
  stop(): Promise<void>;
}

export async function startAccountsDouble(env: Env, now = Date.now): Promise<AccountsDouble> {
  const runtime = openRuntime('accounts', readEnvironment(baseEnvironment('accounts'), env), { now });
  const keys = new Map<string, DoubledKey & { isRevoked?: boolean }>();
  const sessions = new Map<string, DoubledSession>();
  const memberships = new Map<string, Membership>();
  const versions = new Map<string, number>();
  const held = new Map<string, Promise<void>>();
  let lookUps = 0;

  async function resolve(path: string, search: URLSearchParams, body: string): Promise<unknown> {
    if (path === '/internal/keys/used') {
      double.uses.push(...JSON.parse(body).uses);
      return undefined;
    }
    if (path.startsWith('/internal/memberships/')) {
      const userId = path.split('/').at(-1);
      const of = [...memberships].filter(([key]) => key.startsWith(`${userId}/`));
      if (!search.has('workspaceId')) return { membership: of.length === 1 ? of[0]![1] : null, tags: {} };
      const key = `${userId}/${search.get('workspaceId')}`;
      const tag = `membership:${key}`;
      return { membership: memberships.get(key) ?? null, tags: { [tag]: versions.get(tag) ?? 1 } };
    }
    const { hash } = JSON.parse(body);
    if (path === '/internal/keys/resolve') {
      lookUps += 1;
      const known = keys.get(hash);
      const answer = {
        principal: known && !known.isRevoked ? known.principal : null,
        allowed_ips: known?.allowedIps ?? [],
        expires_in_ms: known?.expiresAt ? Date.parse(known.expiresAt) - now() : null,
        settings_in_ms: known?.principal?.settings_until
          ? Date.parse(known.principal.settings_until) - now()
          : null,
        tags: { [`key:${hash}`]: known?.version ?? 0 },
      };
      await held.get(hash);
      return answer;
    }
    const session = sessions.get(hash);
    return {
      session: session
        ? {
            session_id: newId(),
            user_id: session.userId,
            user_name: 'Test User',
            ...(session.secondFactor && { second_factor: true }),
            expires_in_ms: Date.parse(session.expiresAt) - now(),
          }
        : null,
      tags: { [`session:${hash}`]: session?.version ?? 0 },
    };
  }

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://accounts');
    if (!url.pathname.startsWith('/internal/')) return double.respond(request, response);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const principal = await runtime.identity.verify(String(request.headers[internalHeaders.identity]));
      if (principal.type !== 'service') throw new Error('internal operations are for services');
      const answer = await resolve(url.pathname, url.searchParams, Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json');
      response.statusCode = answer === undefined ? 204 : 200;
      response.end(answer === undefined ? undefined : JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  const double: AccountsDouble = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    runtime,
    createKey(overrides = {}, extra = {}) {
      const key = mintApiKey();
      const made: DoubledKey = {
        key,
        principal: keyPrincipal({ key_prefix: key.slice(0, 10), ...overrides }),
        allowedIps: extra.allowedIps ?? [],
        expiresAt: extra.expiresAt ?? null,
        version: 1,
      };
      keys.set(hashSecret(key), made);
      return made;
    },
    createSession(overrides = {}) {
      const token = newId();
      const session: DoubledSession = {
        cookie: `waymark_session=${token}`,
        token,
        userId: overrides.userId ?? newId(),
        expiresAt: overrides.expiresAt ?? new Date(Date.now() + 3_600_000).toISOString(),
        version: 1,
        ...(overrides.secondFactor && { secondFactor: true }),
      };
      sessions.set(hashSecret(token), session);
      return session;
    },
    join(userId, membership) {
      memberships.set(`${userId}/${membership.workspace_id}`, { plan: 'business', ...membership });
    },
    async change(userId, { workspace_id, role }) {
      const key = `${userId}/${workspace_id}`;
      if (role === null) memberships.delete(key);
      else memberships.set(key, { plan: 'business', workspace_id, role });
      const tag = `membership:${key}`;
      const version = (versions.get(tag) ?? 1) + 1;
      versions.set(tag, version);
      await runtime.invalidations.announce({ [tag]: version });
    },
    async revoke(key) {
      const hash = hashSecret(key.key);
      keys.set(hash, { ...key, version: key.version + 1, isRevoked: true });
      await runtime.invalidations.announce({ [`key:${hash}`]: key.version + 1 });
    },
    lookUps: () => lookUps,
    uses: [],
    respond: (_, response) => response.end(),
    hold(key) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(hashSecret(key.key), promise);
      return resolve;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await runtime.close();
    },
  };
  return double;
}
