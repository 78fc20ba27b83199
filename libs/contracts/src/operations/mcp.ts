import { z } from 'zod';
import { limits } from '../limits.ts';
import { query } from '../schema/body.ts';
import { flag } from '../schema/types.ts';
import type { Operation } from './operation.ts';
import { PUBLIC } from './presets.ts';

/**
 * The endpoint of the MCP server, beside the base path. Its messages are JSON-RPC, so that it stands in no
 * table: clients find its tools by tools/list, and each tool calls operations of the table.
 */
export const mcpEndpoint = {
  id: 'mcp',
  service: 'gateway',
  route: 'POST /mcp',
  method: 'POST',
  path: '/mcp',
  summary: 'Call a tool for language models (Model Context Protocol)',
  caller: 'key_or_session',
  bucket: 'read',
  workspace: 'none',
  query: query({ read_only: flag().optional().describe('Offer no tools that change something') }),
  body: z.unknown(),
  bodyLimitBytes: limits.mcpBodyBytes,
  // A tool’s arguments are one body; its own operation limits them further.
  bodyLimitValues: limits.nodeValues,
  response: { status: 200 },
} as const satisfies Operation;

/** The resource of tokens and grants (RFC 8707), relative to the public URL. */
export const TOKEN_RESOURCE = '/mcp';

/** Where a client of the MCP server learns how to get a token (RFC 9728). */
export const RESOURCE_METADATA = `/.well-known/oauth-protected-resource${TOKEN_RESOURCE}`;

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

/** The device authorization endpoint (RFC 8628, 3.1); its body is a form. */
export const deviceEndpoint = {
  id: 'oauth_device_authorization',
  service: 'gateway',
  route: 'POST /oauth/device_authorization',
  method: 'POST',
  path: '/oauth/device_authorization',
  summary: 'Begin the sign-in of a command line without a browser',
  ...PUBLIC,
  bucket: 'mutation',
  body: z.unknown(),
  response: { status: 200 },
} as const satisfies Operation;
