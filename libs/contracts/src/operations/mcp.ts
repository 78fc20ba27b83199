import { z } from 'zod';
import { limits } from '../limits.ts';
import { query } from '../schema/body.ts';
import { flag } from '../schema/types.ts';
import { operationTable } from './operation.ts';
import { PUBLIC } from './presets.ts';

const CHANGE = { ...PUBLIC, bucket: 'mutation', body: z.unknown() } as const;

/**
 * The endpoints beside the base path. Their bodies are those of JSON-RPC and of the RFCs, so that the public
 * table lacks them. Each tool of the MCP server calls operations of that table; tools/list names the tools.
 */
export const {
  mcp: mcpEndpoint,
  oauth_token: tokenEndpoint,
  oauth_register: registrationEndpoint,
  oauth_device_authorization: deviceEndpoint,
} = operationTable('gateway', {
  mcp: {
    route: 'POST /mcp',
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
  },
  /** The token endpoint (RFC 6749, 3.2); its body is a form. */
  oauth_token: {
    ...CHANGE,
    route: 'POST /oauth/token',
    summary: 'Exchange a code or a refresh token',
    response: { status: 200 },
  },
  /** Dynamic client registration (RFC 7591), where the operator allows it. */
  oauth_register: {
    ...CHANGE,
    route: 'POST /oauth/register',
    summary: 'Register a client',
    response: { status: 201 },
  },
  /** The device authorization endpoint (RFC 8628, 3.1); its body is a form. */
  oauth_device_authorization: {
    ...CHANGE,
    route: 'POST /oauth/device_authorization',
    summary: 'Begin the sign-in of a command line without a browser',
    response: { status: 200 },
  },
});

/** The resource of tokens and grants (RFC 8707), relative to the public URL. */
export const TOKEN_RESOURCE = '/mcp';

/** Where a client of the MCP server learns how to get a token (RFC 9728). */
export const RESOURCE_METADATA = `/.well-known/oauth-protected-resource${TOKEN_RESOURCE}`;
