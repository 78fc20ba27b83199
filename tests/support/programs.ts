import { createHash, randomBytes } from 'node:crypto';
import type { Operation } from '@waymark/contracts';
import { httpCall, type Owner, type StackClient } from '@waymark/testing';

/** Where a program on the person's machine waits for its code. Nothing listens there. */
export const CALLBACK = 'http://127.0.0.1:33418/callback';
const verifier = randomBytes(32).toString('base64url');
/** What a program that asks for access sends besides its id and the access. */
export const asked = {
  redirectUri: CALLBACK,
  codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
  codeChallengeMethod: 'S256',
};
/** What it sends besides its id and the code. */
export const proof = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier };

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** Registers a program, and returns its client id. */
export async function registerProgram(url: string, client_name = 'A program'): Promise<string> {
  const body = { client_name, redirect_uris: [CALLBACK] };
  return (await httpCall(url, 'POST', '/oauth/register', { body })).body.client_id;
}

export async function requestToken(url: string, form: Record<string, string>) {
  const { body, ...answer } = await postForm(url, '/oauth/token', form);
  return { ...answer, body: body as Tokens & { error?: string } };
}

const postForm = (url: string, path: string, form: Record<string, string>) =>
  httpCall(url, 'POST', path, {
    rawBody: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Begins a sign-in of the command line by a code. */
async function startDevice(url: string): Promise<{ user_code: string }> {
  const form = { client_id: 'waymark-cli', scope: 'read write' };
  return (await postForm(url, '/oauth/device_authorization', form)).body;
}

/** Gives a valid call that allows a sign-in by a code one that waits: each works once. */
export async function withDeviceCode<T extends { body?: Record<string, unknown> }>(
  url: string,
  { id }: Operation,
  input: T,
): Promise<T> {
  if (id !== 'allowDeviceLogin') return input;
  return { ...input, body: { ...input.body, userCode: (await startDevice(url)).user_code } };
}

/** A program to which a person has given access to a workspace. */
export async function connectProgram(
  product: StackClient,
  { cookie, workspaceId }: Pick<Owner, 'cookie' | 'workspaceId'>,
  name?: string,
) {
  const clientId = await registerProgram(product.url, name);
  const body = { workspaceId, clientId, scopes: ['read', 'write'], ...asked };
  const given = await product.call('POST', '/auth/grants', { cookie, body });
  const code = new URL(given.body.redirect_to).searchParams.get('code')!;
  const { body: tokens } = await requestToken(product.url, { ...proof, client_id: clientId, code });
  const { data } = (await product.call('GET', '/auth/grants', { cookie })).body;
  return { clientId, id: data[0].id as string, code, tokens };
}
