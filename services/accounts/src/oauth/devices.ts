import {
  ApiError,
  type ApiKey,
  apiKeyPrefix,
  DEVICE_CLIENT,
  type DEVICE_GRANT,
  DeviceLogin,
  type DeviceLoginAllow,
  type deviceErrors,
  hashSecret,
  limits,
  newId,
  type Scope,
  type TokenRequest,
} from '@waymark/contracts';
import { pickFields, type RequestContext, signedIn } from '@waymark/service-kit/http';
import { addApiKey } from '../api-keys.ts';
import { isPast } from '../callers.ts';
import { changeWorkspace } from '../change-workspace.ts';
import { type AccountsContext, timestamp } from '../context.ts';

/** How much longer a device must wait after it has asked too early (RFC 8628, 3.5). */
const SLOW_DOWN_SECONDS = 5;
const MACHINE_NAME_CHARACTERS = 30;

/** Returns the first label of a host name: a longer name could ask the person for something. */
function machineName(hostName: string): string {
  const [label = ''] = hostName.normalize('NFC').split('.');
  return label
    .replaceAll(/[^\p{L}\p{N}-]/gu, '')
    .slice(0, MACHINE_NAME_CHARACTERS)
    .toWellFormed();
}

/** Makes the codes of a command line that asks for a key (RFC 8628). */
export function startDeviceLogin(
  service: AccountsContext,
  ctx: RequestContext,
  { name, ip, scopes }: { name: string; ip: string; scopes: Scope[] },
) {
  const { commit, config, deviceCodes, now, store } = service;
  const { deviceCode, userCode, userHash, key } = deviceCodes.create();
  const endMs = now() + limits.deviceCodeSeconds * 1_000;
  return commit(ctx, async ({ session }) => {
    await store.deviceLogins.insert(
      {
        id: newId(),
        name: machineName(name) || ip,
        ip,
        scopes,
        created_at: timestamp(service),
        expires_at: timestamp(service, endMs),
        device_hash: hashSecret(deviceCode),
        user_hash: userHash,
        key_hash: hashSecret(key),
        key_prefix: apiKeyPrefix(key),
        state: 'pending',
        polled_at: null,
        interval_seconds: limits.deviceIntervalSeconds,
        // The record stays as long again, so that a device that asks learns that its code has expired.
        remove_at: new Date(endMs + limits.deviceCodeSeconds * 1_000),
      },
      session,
    );
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${config.publicUrl}/device`,
      expires_in: limits.deviceCodeSeconds,
      interval: limits.deviceIntervalSeconds,
    };
  });
}

/** Returns the request of a device. Throws NOT_FOUND for a code with which no device waits. */
export const previewDeviceLogin = (service: AccountsContext, ctx: RequestContext, userCode: string) =>
  guess(service, ctx, userCode, async (hashes, now) =>
    pickFields(DeviceLogin, pendingOnly(await service.store.deviceLogins.pendingOf(hashes, now))),
  );

/** Creates the key; only the device gets its plaintext. Throws as `createApiKey` does, and NOT_FOUND. */
export const allowDeviceLogin = (
  service: AccountsContext,
  ctx: RequestContext,
  { user_code, changes_settings }: DeviceLoginAllow,
): Promise<ApiKey> =>
  guess(service, ctx, user_code, (hashes, now) =>
    changeWorkspace(service, ctx, async (change) => {
      const { session } = change.tx;
      const login = pendingOnly(await service.store.deviceLogins.settle(hashes, 'allowed', { now, session }));
      const { key_hash, key_prefix, name, scopes } = login;
      const expires_at = timestamp(service, service.now() + limits.loginKeySeconds * 1_000);
      const input = { name: `waymark on ${name}`, scopes, expires_at, allowed_ips: [], changes_settings };
      return addApiKey(service, change, input, { key_hash, key_prefix });
    }),
  );

export const declineDeviceLogin = (service: AccountsContext, ctx: RequestContext, userCode: string) =>
  guess(service, ctx, userCode, async (hashes, now) => {
    pendingOnly(await service.store.deviceLogins.settle(hashes, 'declined', { now }));
  });

/** Counts the code as a wrong one, unless it is right. Throws RATE_LIMITED after too many. */
async function guess<T>(
  service: AccountsContext,
  ctx: RequestContext,
  userCode: string,
  work: (hashes: string[], now: string) => Promise<T>,
): Promise<T> {
  const { deviceCodes, signInLimits } = service;
  const { user_id } = signedIn(ctx);
  await signInLimits.countDeviceCode(user_id);
  let isWrong = false;
  try {
    return await work(deviceCodes.userHashesOf(userCode), timestamp(service));
  } catch (error) {
    isWrong = error instanceof ApiError && error.code === 'NOT_FOUND';
    throw error;
  } finally {
    if (!isWrong) await signInLimits.uncountDeviceCode(user_id);
  }
}

function pendingOnly<T>(login: T | null): T {
  if (login) return login;
  const message = 'No command line waits with this code; it may have expired. Run waymark login again.';
  throw new ApiError('NOT_FOUND', { message });
}

/** Gives the device its key once the person has allowed it, and only once. */
export function exchangeDeviceCode(
  service: AccountsContext,
  ctx: RequestContext,
  { client_id, device_code }: Extract<TokenRequest, { grant_type: typeof DEVICE_GRANT }>,
) {
  const { commit, deviceCodes, now, store } = service;
  const refused = (error?: (typeof deviceErrors)[number]) => ({ tokens: null, ...(error && { error }) });
  return commit(ctx, async ({ session }) => {
    const login = await store.deviceLogins.byDeviceHash(hashSecret(device_code), session);
    if (!login || client_id !== DEVICE_CLIENT) return refused();
    if (isPast(service, login.expires_at)) return refused('expired_token');
    const { interval_seconds: seconds, polled_at, state } = login;
    const isEarly = polled_at !== null && now() < Date.parse(polled_at) + seconds * 1_000;
    const interval_seconds = isEarly ? seconds + SLOW_DOWN_SECONDS : seconds;
    await store.deviceLogins.notePoll(login, { polled_at: timestamp(service), interval_seconds }, session);
    if (isEarly) return refused('slow_down');
    if (state === 'declined') return refused('access_denied');
    if (state === 'pending') return refused('authorization_pending');
    const key = deviceCodes.keyOf(device_code, login.key_hash);
    await store.deviceLogins.remove(login, session);
    if (!key) return refused();
    const tokens = {
      access_token: key,
      token_type: 'Bearer' as const,
      expires_in: limits.loginKeySeconds,
      scope: login.scopes.join(' '),
    };
    return { tokens };
  });
}
