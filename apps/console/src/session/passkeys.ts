import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { api, type Schemas } from '../api/client.ts';
import type { LocalError } from '../api/problem.ts';
import { sessionTexts as t } from '../texts/session.ts';
import type { SignedIn } from './session-query.ts';

/** Loaded with the first ceremony; most sign-ins need none. */
const load = () => import('@simplewebauthn/browser');

/** Whether this browser has passkeys; a page without TLS has none. */
export const hasPasskeys = () => 'PublicKeyCredential' in window;

/** Signs in with a passkey that the user chooses in the browser. */
export async function signInWithPasskey(): Promise<SignedIn> {
  const { options } = await api.post('/auth/sign-in/passkey/options');
  const { startAuthentication } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, response } = await startAuthentication({ optionsJSON }).catch((error: unknown) =>
    fail(error, t.passkey.notUsed),
  );
  const body = {
    credentialId: id,
    clientData: response.clientDataJSON,
    authenticatorData: response.authenticatorData,
    signature: response.signature,
    userHandle: response.userHandle ?? '',
  };
  return api.post('/auth/sign-in/passkey', { body });
}

/** Creates a passkey in the browser and adds it to the account. */
export async function createPasskey(values: {
  name: string;
  currentPassword?: string;
}): Promise<Schemas['Passkey']> {
  const { name, ...proof } = values;
  const { options } = await api.post('/auth/passkeys/options', { body: proof });
  const { startRegistration } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { response } = await startRegistration({ optionsJSON }).catch((error: unknown) =>
    fail(error, t.passkey.notCreated),
  );
  const body = {
    name,
    clientData: response.clientDataJSON,
    attestationObject: response.attestationObject,
    transports: response.transports ?? [],
  };
  return api.post('/auth/passkeys', { body });
}

/** Explains why the browser did not answer; it does not say more, to protect the user. */
function fail(cause: unknown, title: string): never {
  const isKnown = (cause as { code?: unknown }).code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
  const detail = isKnown ? t.passkey.known : t.passkey.cancelled;
  const error: LocalError = Object.assign(new Error(title, { cause }), { local: { title, detail } });
  throw error;
}
