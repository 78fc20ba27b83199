import { ApiError, limits } from '@waymark/contracts';
import { fairShare, inProportion, upTo } from '@waymark/service-kit/jobs';
import type { Exchange } from '../exchange/exchange.ts';

const RETRY_SECONDS = 5;
/** One workspace alone, or one user alone, gets no more than half of all streams. */
const PER_TENANT = limits.eventStreams / 2;

/** Whom a stream counts against; `credential` is the key, or the user of a session. */
export interface StreamCaller {
  workspaceId: string;
  userId: string;
  credential: string;
}

/**
 * Shares the streams of this process between workspaces and between users, and those of one workspace between
 * its users: each may have as many as stay free. A credential also has a fixed limit.
 */
export function streamShares() {
  const { eventStreams: total, eventStreamsPerCaller } = limits;
  const ofUsers = fairShare<string>({
    total,
    policy: inProportion(1),
    tenantsOf: (member) => member.split(' '),
    perTenant: PER_TENANT,
  });
  const ofCredentials = fairShare<string>({
    total,
    policy: upTo(eventStreamsPerCaller),
    tenantsOf: (credential) => [credential],
  });

  return {
    /** Counts a stream, and returns the function that releases it. Throws RATE_LIMITED. */
    reserve({ workspaceId, userId, credential }: StreamCaller): () => void {
      if (ofCredentials.allowance(credential) <= 0) {
        throw refusal(`No more than ${eventStreamsPerCaller} event streams at once; close one.`);
      }
      const member = `${workspaceId} ${userId}`;
      if (ofUsers.allowance(member) <= 0) {
        throw refusal('This user or workspace has its share of the event streams; close one.');
      }
      ofCredentials.take(credential);
      ofUsers.take(member);
      return () => {
        ofCredentials.give(credential);
        ofUsers.give(member);
      };
    },
  };
}

const refusal = (message: string) =>
  new ApiError('RATE_LIMITED', { reason: 'streams', message, retryAfterSeconds: RETRY_SECONDS });

export function callerOf({ principal }: Exchange, workspaceId: string): StreamCaller {
  if (principal?.type === 'api_key') {
    return { workspaceId, userId: principal.user_id, credential: principal.key_id };
  }
  if (principal?.type !== 'session') throw new ApiError('UNAUTHORIZED');
  return { workspaceId, userId: principal.user_id, credential: principal.user_id };
}
