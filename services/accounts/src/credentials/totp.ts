import { Secret, TOTP } from 'otpauth';

/** The parameters that authenticator apps assume (RFC 6238). */
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** The clock of a device may differ by one step. */
const STEPS_APART = 1;
/** 120 bits, so that a plain hash of a recovery code cannot be searched. */
const RECOVERY_BYTES = 15;
const ISSUER = 'Waymark';

/** A secret in base32. */
export const newTotpSecret = () => new Secret({ size: SECRET_BYTES }).base32;

export const newRecoveryCode = () =>
  new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase().replace(/.{4}(?=.)/g, '$&-');

/** Removes what people add when they copy a code. */
export const plainCode = (code: string) => code.replace(/[\s-]/g, '').toLowerCase();

/** The address that an app reads from a QR code. */
export const totpUri = (secret: string, email: string) =>
  new TOTP({ issuer: ISSUER, label: email, secret }).toString();

/** Returns the time step that a code belongs to; null for a code that is not valid at this time. */
export function stepOf(secret: string, code: string, nowMs: number): number | null {
  const totp = new TOTP({ secret, period: STEP_SECONDS });
  const apart = totp.validate({ token: code, timestamp: nowMs, window: STEPS_APART });
  return apart === null ? null : Math.floor(nowMs / 1_000 / STEP_SECONDS) + apart;
}
