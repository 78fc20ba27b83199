import { randomBytes } from 'node:crypto';
import { ApiError, hashSecret, newId, type Session } from '@waymark/contracts';
import type { RequestContext } from '@waymark/service-kit/http';
import type { Commit, Transaction } from '@waymark/service-kit/store';
import type { AccountsConfig } from '../config.ts';
import { userEvent } from '../events.ts';
import type { Store } from '../store/index.ts';
import { removalDate, type SessionRecord } from '../store/sessions.ts';
import type { UserRecord } from '../store/users.ts';
import { sessionTag, userTag } from '../tags.ts';
import { sessionView } from '../views.ts';
import { signedIn } from '../workspaces/change-workspace.ts';

const TOKEN_BYTES = 32;
const IDLE_MS = 14 * 86_400_000;
export const SESSION_SECONDS_MAX = 90 * 86_400;
/** How exact last_seen_at is; a look-up within it writes nothing. */
const SEEN_MS = 60_000;
const USER_AGENT_CHARACTERS = 512;

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(options: {
  store: Store;
  commit: Commit;
  config: AccountsConfig;
  now: () => number;
}) {
  const { store, commit, config, now } = options;
  const iso = (timeMs = now()) => new Date(timeMs).toISOString();

  function expiryOf(createdAt: string): string {
    return iso(Math.min(now() + IDLE_MS, Date.parse(createdAt) + SESSION_SECONDS_MAX * 1_000));
  }

  const isActive = (session: SessionRecord) => session.ended_at === null && session.expires_at > iso();

  async function endAll(sessions: readonly SessionRecord[], tx: Transaction): Promise<void> {
    if (sessions.length === 0) return;
    const ids = sessions.map((session) => session.id);
    await store.sessions.end(ids, iso(), tx.session);
    for (const { token_hash, version } of sessions) tx.invalidate({ [sessionTag(token_hash)]: version + 1 });
  }

  /** A change of the caller's own account, in its turn. */
  function ownChange<T>(
    ctx: RequestContext,
    work: (tx: Transaction, user: UserRecord) => Promise<T>,
  ): Promise<T> {
    return commit(ctx, async (tx) => {
      const user = await store.users.raise(signedIn(ctx).user_id, tx.session);
      if (!user) throw new ApiError('UNAUTHORIZED');
      return work(tx, user);
    });
  }

  return {
    endAll,

    /** Opens a session in the transaction that signs the user in, and returns its token; beyond the cap the oldest end. */
    async open(ctx: RequestContext, tx: Transaction, user: UserRecord): Promise<string> {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const createdAt = iso();
      const expiresAt = expiryOf(createdAt);
      await store.sessions.insert(
        {
          id: newId(),
          user_id: user.id,
          token_hash: hashSecret(token),
          ip: ctx.clientAddress,
          user_agent: ctx.userAgent?.slice(0, USER_AGENT_CHARACTERS).toWellFormed() ?? null,
          created_at: createdAt,
          last_seen_at: createdAt,
          expires_at: expiresAt,
          ended_at: null,
          version: 1,
          remove_at: removalDate(expiresAt),
        },
        tx.session,
      );
      const active = await store.sessions.activeOf(user.id, createdAt, tx.session);
      await endAll(active.slice(config.sessionsPerUser), tx);
      return token;
    },

    async listSessions(ctx: RequestContext): Promise<Session[]> {
      const { user_id, session_id } = signedIn(ctx);
      const active = await store.sessions.activeOf(user_id, iso());
      return active.map((session) => sessionView(session, session_id));
    },

    /** Ends the session that the call came with; when it has ended meanwhile, nothing more happens. */
    signOut(ctx: RequestContext): Promise<void> {
      return ownChange(ctx, async (tx, user) => {
        const active = await store.sessions.activeOf(user.id, iso(), tx.session);
        const current = active.filter((session) => session.id === signedIn(ctx).session_id);
        if (current.length === 0) return;
        await endAll(current, tx);
        tx.emit('user.signed_out', userEvent(user, { id: user.id }));
      });
    },

    /** Ends one of the caller's own sessions. Throws NOT_FOUND for any other. */
    endSession(ctx: RequestContext, id: string): Promise<void> {
      return ownChange(ctx, async (tx, user) => {
        const active = await store.sessions.activeOf(user.id, iso(), tx.session);
        const ending = active.filter((session) => session.id === id);
        if (ending.length === 0) throw new ApiError('NOT_FOUND', { message: 'You have no such session.' });
        await endAll(ending, tx);
        tx.emit('user.session_ended', userEvent(user, { id }));
      });
    },

    /** The user behind a token's hash, and the moment that the session ends unless it is used; slides that moment. */
    async resolveSession(hash: string) {
      const session = await store.sessions.byTokenHash(hash);
      if (!session) return { session: null, tags: { [sessionTag(hash)]: 0 } };
      const user = await store.users.byId(session.user_id);
      const tags = { [sessionTag(hash)]: session.version, [userTag(session.user_id)]: user?.revision ?? 0 };
      if (!user || !isActive(session)) return { session: null, tags };
      let { expires_at } = session;
      if (now() - Date.parse(session.last_seen_at) >= SEEN_MS) {
        expires_at = expiryOf(session.created_at);
        await store.sessions.slide(session.id, { last_seen_at: iso(), expires_at });
      }
      return {
        session: { session_id: session.id, user_id: user.id, user_name: user.name, expires_at },
        tags,
      };
    },
  };
}
