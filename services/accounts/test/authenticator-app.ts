import { TOTP } from 'otpauth';

/** The code that an authenticator app shows at a time. */
export const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret }).generate({ timestamp });
