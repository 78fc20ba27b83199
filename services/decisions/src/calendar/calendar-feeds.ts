import { randomBytes } from 'node:crypto';
import {
  ApiError,
  BASE_PATH,
  type CalendarFeed,
  type CalendarFeedWithUrl,
  decisionOperations,
  hashSecret,
} from '@waymark/contracts';
import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import type { ServiceRuntime } from '@waymark/service-kit/service';
import type { CalendarFeedStore, FeedRecord } from '../store/calendar-feeds.ts';
import type { DecisionStore } from '../store/index.ts';
import { calendarOf } from './calendar.ts';

export type CalendarFeeds = ReturnType<typeof calendarFeeds>;

const TOKEN = /^wmf_[A-Za-z0-9_-]{43}$/;
const TOKEN_BYTES = 32;

/** A user's feeds, one a workspace: whoever has the address of one reads what the user may read there, for as long. */
export function calendarFeeds(options: {
  runtime: ServiceRuntime;
  store: DecisionStore;
  feeds: CalendarFeedStore;
  publicUrl: string;
}) {
  const { store, feeds } = options;
  const { call, commit, now } = options.runtime;
  const address = `${options.publicUrl.replace(/\/+$/, '')}${BASE_PATH}${decisionOperations.getDecisionsCalendar.path}`;

  async function feedOf(token: string | undefined): Promise<FeedRecord> {
    const feed = token !== undefined && TOKEN.test(token) ? await feeds.byTokenHash(hashSecret(token)) : null;
    if (!feed || !(await isOfPresentMember(feed))) {
      throw new ApiError('UNAUTHORIZED', {
        message: 'This is not the address of a calendar feed, or no longer; make a new one.',
      });
    }
    return feed;
  }

  async function memberSince({ user_id, workspace_id }: Pick<FeedRecord, 'user_id' | 'workspace_id'>) {
    const query = { workspace_id };
    const { membership, member_since } = await call('resolveMembership', {
      params: { userId: user_id },
      query,
    });
    return { isMember: membership !== null, since: member_since ?? null };
  }

  /** A feed ends with the membership in which it was made, also for who joins again. */
  async function isOfPresentMember(feed: FeedRecord): Promise<boolean> {
    const { isMember, since } = await memberSince(feed);
    if (!isMember || since === null) return isMember;
    return feed.member_since ? feed.member_since === since : since <= feed.created_at;
  }

  return {
    /** Throws UNAUTHORIZED for a token that is unknown or replaced, or whose user is no member any more. */
    async read(token: string | undefined): Promise<StreamedBody> {
      const { workspace_id } = await feedOf(token);
      const { overdue, upcoming } = await store.expected(workspace_id, new Date(now()).toISOString());
      const calendar = calendarOf({ overdue, upcoming });
      return {
        stream: (async function* () {
          yield calendar;
        })(),
        fileName: 'decisions.ics',
      };
    },

    /** Makes the caller's feed; the token of the one before is worth nothing from then on. */
    async create(ctx: RequestContext): Promise<CalendarFeedWithUrl> {
      const owner = { workspace_id: ctx.access.workspaceId, user_id: userIn(ctx) };
      const { since } = await memberSince(owner);
      const token = `wmf_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
      return commit<CalendarFeedWithUrl>(
        ctx,
        async (tx) => {
          const feed = await feeds.put(
            {
              ...owner,
              member_since: since,
              token_hash: hashSecret(token),
              created_at: new Date(now()).toISOString(),
            },
            tx.session,
          );
          const data = feedView(feed);
          tx.emit('calendar_feed.created', { subject: subjectOf(feed), data });
          return { ...data, url: `${address}?token=${token}` };
        },
        { redact: ({ url: _, ...visible }) => visible },
      );
    },

    /** Throws NOT_FOUND when the caller has no feed of the workspace. */
    revoke(ctx: RequestContext): Promise<void> {
      return commit(ctx, async (tx) => {
        const feed = await feeds.remove(ctx.access.workspaceId, userIn(ctx), tx.session);
        if (!feed) throw new ApiError('NOT_FOUND');
        const ended = { ...feed, version: feed.version + 1 };
        tx.emit('calendar_feed.revoked', { subject: subjectOf(ended), data: feedView(feed) });
      });
    },
  };
}

function userIn({ principal }: RequestContext): string {
  if (principal.type !== 'session') throw new ApiError('FORBIDDEN');
  return principal.user_id;
}

function feedView({ id, workspace_id, user_id, created_at }: FeedRecord): CalendarFeed {
  return { id, workspace_id, user_id, created_at };
}

function subjectOf({ id, version }: FeedRecord) {
  return { type: 'calendar_feed', id, version };
}
