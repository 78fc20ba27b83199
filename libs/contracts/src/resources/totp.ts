import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { example } from '../schema/fields.ts';
import { component, integer, text, time } from '../schema/types.ts';
import { ownerProof, secondFactorCode } from './account.ts';

export const Totp = component('Totp', {
  added_at: time().nullable().describe('Null without an authenticator app'),
  recovery_codes_left: integer(),
});
export type Totp = z.output<typeof Totp>;

export const TotpStart = body(ownerProof).meta({ id: 'TotpStart' });
export const TotpRemoval = body(ownerProof).meta({ id: 'TotpRemoval' });
export const RecoveryCodesRenewal = body(ownerProof).meta({ id: 'RecoveryCodesRenewal' });

const enrolment = () => text(limits.mailedTokenCharactersMax, 1);

export const TotpEnrolment = component('TotpEnrolment', {
  secret: example(z.string().describe('Base32, to type into the app'), 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
  uri: example(
    z.string().describe('The secret for a QR code'),
    'otpauth://totp/Waymark:mira%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Waymark',
  ),
  enrolment: example(
    z.string().describe('To be returned with a code of the app, within ten minutes'),
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..',
  ),
});

export const TotpCreate = body({
  enrolment: example(
    enrolment().describe('From the answer that has the secret'),
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..',
  ),
  code: secondFactorCode().describe('A code of the app'),
}).meta({ id: 'TotpCreate' });
export type TotpCreate = z.output<typeof TotpCreate>;

export const RecoveryCodes = component(
  'RecoveryCodes',
  'Codes that replace the authenticator app, each once',
  {
    recovery_codes: z
      .array(example(z.string(), 'k3vq-7d2m-x5ra-p4tn-c6wj-h2ye'))
      .describe('Each replaces a code of the app once; only this answer has them'),
  },
);
