import { type KeyObject, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { signedTokens } from './tokens.ts';

export const DEVICE_SECONDS = 365 * 86_400;
const Device = z.object({ sub: z.string(), jti: z.string() });

/** Signs cookies by which a browser shows that a user signed in there before (OWASP, "device cookies"). */
export function deviceCookies(privateKeys: readonly KeyObject[], now: () => number) {
  const kind = { purpose: 'device cookie', schema: Device, seconds: DEVICE_SECONDS };
  const tokens = signedTokens(privateKeys, kind, now);
  return {
    sign: (userId: string) => tokens.sign({ sub: userId, jti: randomUUID() }),

    /** Returns the id of the browser; null unless the cookie shows that this user signed in there. */
    async deviceOf(cookie: string | undefined, userId: string | undefined): Promise<string | null> {
      const device = cookie === undefined ? null : await tokens.verify(cookie);
      return device && device.sub === userId ? device.jti : null;
    },
  };
}
