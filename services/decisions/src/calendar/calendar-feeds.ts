import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ApiError,
  BASE_PATH,
  type CalendarFeed,
  type CalendarFeedState,
  type CalendarFeedWithUrl,
  decisionOperations,
  hashSecret,
} from '@waymark/contracts';
import type { RequestContext, StreamedBody } from '@waymark/service-kit/http';
import type { DecisionsContext } from '../context.ts';
import type { FeedRecord } from '../store/calendar-feeds.ts';
import { calendarOf } from './calendar.ts';

const TOKEN = /^wmf_[A-Za-z0-9_-]{43}$/;
const TOKEN_BYTES = 32;

/** Returns a feed's calendar. Throws UNAUTHORIZED for a token that is unknown or no longer valid. */
export async function getDecisionsCalendar(
  service: DecisionsContext,
  token: string | undefined,
): Promise<StreamedBody> {
  const { workspace_id } = await findFeed(service, token);
  const expected = await service.store.expected(workspace_id, new Date(service.now()).toISOString());
  const stream = Readable.from([calendarOf(expected)]);
  return { stream, fileName: 'decisions.ics' };
}

/** Returns the caller's feed of the workspace, if it works. */
export async function getCalendarFeed(
  service: DecisionsContext,
  ctx: RequestContext,
): Promise<CalendarFeedState> {
  const feed = await service.store.feeds.of(ctx.access.workspaceId, userIn(ctx));
  return { feed: feed && (await isValid(service, feed)) ? feedView(feed) : null };
}

/** Makes the caller's feed of the workspace; the token of an earlier feed stops working. */
export async function createCalendarFeed(
  service: DecisionsContext,
  ctx: RequestContext,
): Promise<CalendarFeedWithUrl> {
  const { store, commit, now, publicUrl } = service;
  const owner = { workspace_id: ctx.access.workspaceId, user_id: userIn(ctx) };
  const bound = await boundTo(service, owner);
  const token = `wmf_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const address = `${publicUrl.replace(/\/+$/, '')}${BASE_PATH}${decisionOperations.getDecisionsCalendar.path}`;
  return commit<CalendarFeedWithUrl>(
    ctx,
    async (tx) => {
      const made = { ...bound, token_hash: hashSecret(token), created_at: new Date(now()).toISOString() };
      const feed = await store.feeds.put({ ...owner, ...made }, tx.session);
      const data = feedView(feed);
      tx.emit('calendar_feed.created', { subject: subjectOf(feed), data });
      return { ...data, url: `${address}?token=${token}` };
    },
    { redact: ({ url: _, ...visible }) => visible },
  );
}

/** Throws NOT_FOUND when the caller has no feed of the workspace. */
export function revokeCalendarFeed(
  { store, commit }: DecisionsContext,
  ctx: RequestContext,
): Promise<undefined> {
  return commit(ctx, async (tx) => {
    const feed = await store.feeds.remove(ctx.access.workspaceId, userIn(ctx), tx.session);
    if (!feed) throw new ApiError('NOT_FOUND');
    const ended = { ...feed, version: feed.version + 1 };
    tx.emit('calendar_feed.revoked', { subject: subjectOf(ended), data: feedView(feed) });
    return undefined;
  });
}

async function findFeed(service: DecisionsContext, token: string | undefined): Promise<FeedRecord> {
  const isToken = token !== undefined && TOKEN.test(token);
  const feed = isToken ? await service.store.feeds.byTokenHash(hashSecret(token)) : null;
  if (!feed || !(await isValid(service, feed))) {
    throw new ApiError('UNAUTHORIZED', {
      message: 'This calendar feed does not exist or is no longer valid. Make a new one.',
    });
  }
  return feed;
}

/**
 * Whether a feed still works. It ends with the membership in which it was made, even if the user joins again,
 * and with the password.
 */
async function isValid(service: DecisionsContext, feed: FeedRecord): Promise<boolean> {
  const present = await boundTo(service, feed);
  return (
    present.member_since !== null &&
    present.member_since === feed.member_since &&
    present.password_changed_at === (feed.password_changed_at ?? null)
  );
}

/** When a user's present membership began, null for a non-member, and the password was last changed. */
async function boundTo(
  { call }: DecisionsContext,
  { user_id, workspace_id }: Pick<FeedRecord, 'user_id' | 'workspace_id'>,
) {
  const { membership, member_since, password_changed_at } = await call('resolveMembership', {
    params: { userId: user_id },
    query: { workspace_id },
  });
  return { member_since: membership && member_since, password_changed_at: password_changed_at ?? null };
}

function userIn({ principal }: RequestContext): string {
  if (principal.type !== 'session') throw new ApiError('FORBIDDEN', { reason: 'key_on_settings' });
  return principal.user_id;
}

function feedView({ id, workspace_id, user_id, created_at }: FeedRecord): CalendarFeed {
  return { id, workspace_id, user_id, created_at };
}

function subjectOf({ id, version }: FeedRecord) {
  return { type: 'calendar_feed' as const, id, version };
}
