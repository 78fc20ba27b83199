import { z } from 'zod';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { example } from '../schema/fields.ts';
import { component, name, time, uuid } from '../schema/types.ts';
import { ownerProof } from './account.ts';

const passkeyName = () => example(name().describe('Which device or browser has it'), 'Chrome on macOS');

/** A part of the browser's answer, as its `toJSON()` encodes it. */
const part = (shown: string) =>
  example(
    z
      .string()
      .min(1)
      .max(limits.passkeyPartCharacters)
      .regex(/^[\w-]+$/, { error: 'must be base64url' }),
    shown,
  );
const clientData = () =>
  part('eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoi').describe('clientDataJSON of WebAuthn');

const optionsOf = (id: string, name: string) =>
  component(id, {
    options: z
      .record(z.string(), z.unknown())
      .describe(`${name} of WebAuthn, for parse${name.replace('JSON', '')}FromJSON() of the browser`),
  });

export const PasskeyCreationOptions = optionsOf(
  'PasskeyCreationOptions',
  'PublicKeyCredentialCreationOptionsJSON',
);
export const PasskeyRequestOptions = optionsOf(
  'PasskeyRequestOptions',
  'PublicKeyCredentialRequestOptionsJSON',
);

export const PasskeyStart = body(ownerProof).meta({ id: 'PasskeyStart' });
export const PasskeyRemoval = body(ownerProof).meta({ id: 'PasskeyRemoval' });

export const PasskeyCreate = body({
  name: passkeyName(),
  client_data: clientData(),
  attestation_object: part('o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik').describe(
    'attestationObject of WebAuthn',
  ),
  transports: z
    .array(example(z.string().regex(/^[a-z-]{1,20}$/, { error: 'must be a word of WebAuthn' }), 'internal'))
    .max(10)
    .default([])
    .describe('transports of WebAuthn'),
}).meta({ id: 'PasskeyCreate' });
export type PasskeyCreate = z.output<typeof PasskeyCreate>;

export const PasskeyUpdate = body({ name: passkeyName().optional() }).meta({ id: 'PasskeyUpdate' });

export const PasskeySignIn = body({
  credential_id: part('GQzXMdKsSSmWPkVSjqWzqQ').describe('id of the credential'),
  client_data: clientData(),
  authenticator_data: part('SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAQ').describe(
    'authenticatorData of WebAuthn',
  ),
  signature: part('MEUCIQDk3d1mPuQ2yR3bI0kXnqkLZ1m9mC2lQ').describe('signature of WebAuthn'),
  user_handle: part('MDE5MGE2YjItN2MxZC03ZTQyLTlmNWEtM2IxYzhkMmU0ZjYw').describe('userHandle of WebAuthn'),
}).meta({ id: 'PasskeySignIn' });
export type PasskeySignIn = z.output<typeof PasskeySignIn>;

export const Passkey = component('Passkey', 'A passkey of the user (WebAuthn), without its key', {
  id: uuid(),
  name: example(z.string(), 'Chrome on macOS'),
  synced: z.boolean().describe('Whether the user’s other devices have it too'),
  created_at: time(),
  last_used_at: time().nullable(),
});
export type Passkey = z.output<typeof Passkey>;
