import { createHmac, type KeyObject } from 'node:crypto';
import { ApiError, hashSecret, limits } from '@waymark/contracts';
import { clientNetwork, clientNetworks, type RequestContext } from '@waymark/service-kit/http';
import type { Logger } from '@waymark/service-kit/process';
import type { Database } from '@waymark/service-kit/store';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { derivedSecrets } from './derived-secrets.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type LimiterOf = ReturnType<typeof attemptLimiters>;

/** Makes limiters that count in `tableName`, whose indexes are created with those of the store. */
export function attemptLimiters(database: Database, tableName: string) {
  return (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterMongo({
      storeClient: database.db,
      tableName,
      disableIndexesCreation: true,
      keyPrefix,
      points,
      duration,
    });
}

/**
 * Limits failed sign-ins by account and network together. Many failures of an account, or from a network,
 * only slow down, so that nobody can lock out others. A browser in which the user signed in before is limited
 * by itself.
 */
export function signInLimits(
  limiter: LimiterOf,
  { privateKeys, log }: { privateKeys: readonly KeyObject[]; log: Logger },
) {
  const perPair = limiter('pair', 10, 15 * MINUTE);
  const perAccount = limiter('account', 50, DAY);
  const perNetwork = limiter('client', 100, DAY);
  /** An account with more failures is checked once in this time. */
  const accountPace = limiter('account-pace', 1, 10);
  /** A network with more failures may try each account this often. */
  const pairPace = limiter('pair-pace', 3, HOUR);
  /** Limits a user's codes from everywhere: only who knows the password guesses them. */
  const perCode = limiter('code', 100, DAY);
  const perDeviceCode = limiter('device-code', limits.wrongDeviceCodes, 15 * MINUTE);
  // Keyed, because a reader of the log could otherwise test which accounts it names.
  const [logKey] = derivedSecrets(privateKeys, 'failed sign-in');
  const loggedAccount = (email: string) => createHmac('sha256', logKey!).update(email).digest('hex');

  return {
    /** Counts a code as wrong until `uncountCode`. Throws RATE_LIMITED. */
    countCode: (userId: string) => consume(perCode, userId, 'wrong codes'),
    uncountCode: (userId: string) => perCode.reward(userId),
    /** The same for codes that terminals show. */
    countDeviceCode: (userId: string) => consume(perDeviceCode, userId, 'wrong codes'),
    uncountDeviceCode: (userId: string) => perDeviceCode.reward(userId),

    /**
     * Runs a check and counts its failure; success resets the count of the pair. Null counts nothing, and
     * resets nothing: the password was right, and the code is missing. `device` is the id of a known browser.
     * Throws RATE_LIMITED, without running the check, after too many failures.
     */
    async attempt(
      ctx: RequestContext,
      { email, device }: { email: string; device: string | null },
      check: () => Promise<boolean | null>,
    ): Promise<boolean> {
      const network = clientNetwork(ctx.clientAddress);
      // Hashed, because the database must not keep the text that strangers type as an email.
      const account = hashSecret(email);
      const pair = hashSecret(`${email}\0${device ?? network}`);
      const counted: (readonly [RateLimiterMongo, string])[] = [];
      const uncount = () => Promise.all(counted.map(([limiter, key]) => limiter.reward(key)));
      const reportFailure = (message: string) =>
        log.warn(
          {
            client_address: ctx.clientAddress,
            account_hash: loggedAccount(email),
            request_id: ctx.requestId,
          },
          message,
        );

      // Counted before the check, so that many guesses at the same time do not all pass.
      function count(limiter: RateLimiterMongo, key: string) {
        counted.push([limiter, key]);
        return limiter.penalty(key);
      }
      async function limit(limiter: RateLimiterMongo, key: string) {
        const counts = await count(limiter, key);
        if (counts.consumedPoints > limiter.points) throw tooMany(counts.msBeforeNext);
        return counts;
      }
      const isOver = async (limiter: RateLimiterMongo, key: string) =>
        (await count(limiter, key)).consumedPoints > limiter.points;

      try {
        const { consumedPoints } = await limit(perPair, pair);
        if (!device) {
          // A network's first try does not wait for the tries of those that have failed already.
          const turn = consumedPoints === 1 ? `${account}:first` : account;
          if (await isOver(perAccount, account)) await limit(accountPace, turn);
          if (await isOver(perNetwork, network)) await limit(pairPace, pair);
        }
      } catch (refused) {
        if (!(refused instanceof ApiError)) throw refused;
        // A refused try counts nowhere: otherwise an attack would extend the delay of others.
        await uncount();
        reportFailure('sign-in refused after too many failures');
        throw refused;
      }
      const succeeded = await check();
      if (succeeded === false) {
        reportFailure('sign-in failed');
        return false;
      }
      await uncount();
      if (succeeded === null) return false;
      await perPair.delete(pair);
      return true;
    },
  };
}

/** Limits the accounts of one network, or /48: each has shares of its own in everything that is bounded. */
export function signUpLimit(limiter: LimiterOf, perHour: number) {
  const perNetwork = limiter('sign-up', perHour, HOUR);
  return {
    /** Counts an account. Throws RATE_LIMITED. */
    count: ({ clientAddress }: Pick<RequestContext, 'clientAddress'>) =>
      consume(perNetwork, clientNetworks(clientAddress).at(-1)!, 'new accounts'),
  };
}

/** Counts something. Returns how long to wait if there are too many, else null. */
export async function waitMsOf(limiter: RateLimiterMongo, key: string): Promise<number | null> {
  const { consumedPoints, msBeforeNext } = await limiter.penalty(key);
  return consumedPoints > limiter.points ? msBeforeNext : null;
}

/** Counts something. Throws RATE_LIMITED, whose message has `what`, if there are too many. */
export async function consume(limiter: RateLimiterMongo, key: string, what: string): Promise<void> {
  const waitMs = await waitMsOf(limiter, key);
  if (waitMs !== null) throw tooMany(waitMs, what);
}

const tooMany = (waitMs: number, what = 'failed sign-ins') =>
  new ApiError('RATE_LIMITED', {
    reason: 'rate_limit',
    message: `Too many ${what}; wait for the seconds given in Retry-After.`,
    retryAfterSeconds: waitMs / 1_000,
  });
