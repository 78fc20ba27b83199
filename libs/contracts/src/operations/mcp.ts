import { z } from 'zod';
import { limits } from '../limits.ts';
import { query } from '../schema/body.ts';
import { flag } from '../schema/types.ts';
import type { Operation } from './operation.ts';

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
