import type { KeyObject } from 'node:crypto';
import { limits } from '@waymark/contracts';
import { z } from 'zod';
import { sealedFlows } from './sealed-flow.ts';

/** An authenticator app that waits for its first code, so that one that nobody confirms is stored nowhere. */
const TotpEnrolment = z.object({
  user_id: z.string(),
  session_id: z.string(),
  password_changed_at: z.string().nullable(),
  secret: z.string(),
});

export const totpEnrolments = (privateKeys: readonly KeyObject[], now: () => number) =>
  sealedFlows(
    privateKeys,
    { purpose: 'TOTP enrolment', schema: TotpEnrolment, seconds: limits.totpEnrolmentSeconds },
    now,
  );
