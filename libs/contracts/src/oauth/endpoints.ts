import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { PUBLIC } from '../operations/presets.ts';

/** What a token is for (RFC 8707), relative to the public URL, and what a grant may allow. */
export const TOKEN_RESOURCE = '/mcp';

/* The endpoints of the authorization server beside the base path. The RFCs define their bodies and errors. */

/** The token endpoint (RFC 6749, 3.2); its body is a form. */
export const tokenEndpoint = {
  id: 'oauth_token',
  service: 'gateway',
  route: 'POST /oauth/token',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Exchange a code or a refresh token',
  ...PUBLIC,
  bucket: 'mutation',
  body: z.unknown(),
  response: { status: 200 },
} as const satisfies Operation;

/** Dynamic client registration (RFC 7591), where the operator allows it. */
export const registrationEndpoint = {
  id: 'oauth_register',
  service: 'gateway',
  route: 'POST /oauth/register',
  method: 'POST',
  path: '/oauth/register',
  summary: 'Register a client',
  ...PUBLIC,
  bucket: 'mutation',
  body: z.unknown(),
  response: { status: 201 },
} as const satisfies Operation;
