import { ApiError, hashSecret } from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import type { Database } from '@waymark/service-kit/store';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

/** Failures that one client may make on one account, and on all accounts together. */
const ACCOUNT = { points: 10, duration: 15 * 60 };
const CLIENT = { points: 100, duration: 86_400 };

export interface SignInLimits {
  /**
   * Runs a password check and counts it when it fails; success forgets the account's failures.
   * Throws RATE_LIMITED, without running the check, once there were too many.
   */
  attempt(email: string, clientAddress: string | null, check: () => Promise<boolean>): Promise<boolean>;
}

/** The indexes of `collection` are made with the others of the store. */
export function signInLimits(database: Database, collection: string): SignInLimits {
  const shared = { storeClient: database.db, tableName: collection, disableIndexesCreation: true };
  const perAccount = new RateLimiterMongo({ ...shared, keyPrefix: 'account', ...ACCOUNT });
  const perClient = new RateLimiterMongo({ ...shared, keyPrefix: 'client', ...CLIENT });

  return {
    async attempt(email, clientAddress, check) {
      const client = clientNetwork(clientAddress);
      // Hashed: what strangers type for an email is no business of the database.
      const account = hashSecret(`${email}\0${client}`);
      // Counted before the check, so that guesses sent all at once are not all let through.
      await consume(perClient, client);
      try {
        await consume(perAccount, account);
      } catch (refused) {
        // Refused without a check: whoever keeps hammering at one account keeps nobody else at the address out.
        await perClient.reward(client);
        throw refused;
      }
      const succeeded = await check();
      if (succeeded) await Promise.all([perAccount.delete(account), perClient.reward(client)]);
      return succeeded;
    },
  };
}

async function consume(limiter: RateLimiterMongo, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    throw new ApiError('RATE_LIMITED', {
      message: 'Too many failed sign-ins; wait for the seconds given in Retry-After.',
      retryAfterSeconds: rejected.msBeforeNext / 1_000,
    });
  }
}
