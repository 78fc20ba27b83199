import { ApiError, hashSecret } from '@waymark/contracts';
import { clientNetwork } from '@waymark/service-kit/http';
import type { Database } from '@waymark/service-kit/store';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

/** Allowed failures per client and account, and per client across all accounts; durations in seconds. */
const ACCOUNT = { points: 10, duration: 15 * 60 };
const CLIENT = { points: 100, duration: 86_400 };

export function signInLimits(database: Database, tableName: string) {
  const shared = { storeClient: database.db, tableName, disableIndexesCreation: true };
  const perAccount = new RateLimiterMongo({ ...shared, keyPrefix: 'account', ...ACCOUNT });
  const perClient = new RateLimiterMongo({ ...shared, keyPrefix: 'client', ...CLIENT });

  return {
    /** Runs a password check and counts its failure. Throws RATE_LIMITED instead after too many failures. */
    async attempt(email: string, clientAddress: string | null, check: () => Promise<boolean>) {
      const client = clientNetwork(clientAddress);
      // Hashed, because the database must not keep what strangers type as an email.
      const account = hashSecret(`${email}\0${client}`);
      // Counted before the check, so that many guesses at the same time do not all pass.
      await consume(perClient, client);
      try {
        await consume(perAccount, account);
      } catch (refused) {
        // Does not count for the client: one account under attack must not lock out the whole network.
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
      reason: 'rate_limit',
      message: 'Too many failed sign-ins; wait for the seconds given in Retry-After.',
      retryAfterSeconds: rejected.msBeforeNext / 1_000,
    });
  }
}
