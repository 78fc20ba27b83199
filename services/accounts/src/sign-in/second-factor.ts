import { hashSecret } from '@waymark/contracts';
import type { AccountsContext } from '../context.ts';
import { plainCode, stepOf } from '../credentials/totp.ts';
import type { TotpRecord, UserRecord } from '../store/users.ts';

const TOTP_CODE = /^\d{6}$/;

/**
 * Returns what the user's record of the app becomes when this code is used; null for a code that is wrong or
 * was used before. Takes recovery codes, too.
 */
export async function useOfCode(
  service: AccountsContext,
  { id }: UserRecord,
  totp: TotpRecord,
  given: string,
): Promise<TotpRecord | null> {
  const code = plainCode(given);
  if (!TOTP_CODE.test(code)) {
    const used = hashSecret(code);
    const left = totp.recovery_hashes.filter((hash) => hash !== used);
    return left.length < totp.recovery_hashes.length ? { ...totp, recovery_hashes: left } : null;
  }
  const secret = await service.totpSecrets.decrypt(id, totp).catch((error: unknown) => {
    service.log.error({ err: error, user_id: id }, 'the secret of an authenticator app cannot be decrypted');
    return null;
  });
  const step = secret === null ? null : stepOf(secret, code, service.now());
  return step !== null && step > totp.last_step ? { ...totp, last_step: step } : null;
}
