import { z } from 'zod';
import { scopes } from '../identity/principal.ts';
import { limits } from '../limits.ts';
import { body } from '../schema/body.ts';
import { example } from '../schema/fields.ts';
import { component, text, time, uuid, workspaceInBody } from '../schema/types.ts';
import { DEVICE_GRANT } from './device.ts';

/** 32 random bytes or a SHA-256 in base64url, and the longer verifiers that RFC 7636 allows. */
const CHALLENGE = /^[\w-]{43}$/;
const VERIFIER = /^[\w.~-]{43,128}$/;

const url = () => text(limits.urlCharacters);
export const requested = {
  client_id: url().describe(
    'The address of the metadata of the program, or the id that it was registered with',
  ),
  redirect_uri: url().describe('The address that the browser returns to, one that the metadata has'),
};

export const GrantRequest = component('GrantRequest', 'A program that asks a person for access', {
  client_id: z.string(),
  name: example(z.string().describe('What the program calls itself; nobody has checked it'), 'Claude Code'),
  host: example(
    z.string().describe('Where the browser returns to: a host, or the scheme of a program with its colon'),
    'claude.ai',
  ),
});

export const Grant = component('Grant', 'The access of a program that a person has given it', {
  id: uuid(),
  workspace_id: uuid(),
  name: example(z.string(), 'Claude Code'),
  client_id: z.string(),
  scopes: z.array(z.enum(scopes)),
  created_at: time(),
  last_used_at: time().nullable(),
  expires_at: time()
    .nullable()
    .describe('30 days after the program has renewed it last, at most 180 days after it was given'),
});
export type Grant = z.output<typeof Grant>;

export const GrantCreate = body({
  ...workspaceInBody,
  ...requested,
  code_challenge: example(
    z.string().regex(CHALLENGE).describe('The SHA-256 of the verifier in base64url (RFC 7636)'),
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: z.literal('S256').describe('How the challenge is made of the verifier'),
  resource: url().optional().describe('The address of the MCP server, which is the default'),
  state: url().optional().describe('Returned to the program as it is'),
  scopes: z.array(z.enum(scopes)).min(1).max(2).describe('What the program may do'),
}).meta({ id: 'GrantCreate' });
export type GrantCreate = z.output<typeof GrantCreate>;

export const GrantCreated = component('GrantCreated', 'Where the browser returns to', {
  redirect_to: example(z.string(), 'http://127.0.0.1:33418/callback?code=…'),
});

/** A request to the token endpoint. */
export const TokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    client_id: url(),
    code: text(limits.urlCharacters),
    redirect_uri: url(),
    code_verifier: z.string().regex(VERIFIER),
    resource: url().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    client_id: url(),
    refresh_token: text(limits.urlCharacters),
    resource: url().optional(),
  }),
  z.object({
    grant_type: z.literal(DEVICE_GRANT),
    client_id: url(),
    device_code: text(limits.urlCharacters),
  }),
]);
export type TokenRequest = z.output<typeof TokenRequest>;
/** The exchange of a code or a refresh token of a grant. */
export type GrantTokenRequest = Exclude<TokenRequest, { grant_type: typeof DEVICE_GRANT }>;

export const Tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number(),
  /** Absent beside an API key, for which a device has asked. */
  refresh_token: z.string().optional(),
  scope: z.string(),
});

/** The metadata that a program states about itself (RFC 7591, 2). */
export const ClientMetadata = z.object({
  client_id: z.string().optional(),
  client_name: z.string().max(limits.urlCharacters).optional(),
  redirect_uris: z.array(z.string().max(limits.urlCharacters)).min(1).max(10),
  /** Clients are public, because anybody who has a program can read a secret in it. */
  token_endpoint_auth_method: z.literal('none').default('none'),
});
export type ClientMetadata = z.output<typeof ClientMetadata>;
