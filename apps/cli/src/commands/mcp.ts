import { createInterface } from 'node:readline';
import {
  deserializeMessage,
  INTERNAL_ERROR,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  serializeMessage,
} from '@modelcontextprotocol/server';
import { BASE_PATH, mcpEndpoint } from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import { callFailure } from '../output/call-failure.ts';
import { connectionOf } from '../profiles/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface McpOptions {
  writes: boolean;
  profile?: string;
}

/**
 * Passes messages between an MCP client on stdin and stdout and the MCP server of the gateway, until stdin
 * ends. stdout has messages only; texts for people are on stderr.
 */
export async function bridgeMcp({ writes, profile }: McpOptions, terminal: Terminal): Promise<void> {
  const { baseUrl, apiKey } = await connectionOf(terminal, profile);
  const endpoint = new URL(baseUrl.replace(new RegExp(`${BASE_PATH}$`), '') + mcpEndpoint.path);
  if (!writes) endpoint.searchParams.set('readOnly', 'true');
  const headers: Record<string, string> = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const inFlight = new Set<Promise<void>>();

  async function pass(message: JSONRPCMessage): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    try {
      const answer = await post(endpoint, { ...headers, ...metadataOf(message) }, message);
      if (answer === null) return;
      if ('result' in answer && typeof answer.result['protocolVersion'] === 'string')
        headers['mcp-protocol-version'] = answer.result['protocolVersion'];
      await send(answer);
    } catch (error) {
      const isChange = writes && 'method' in message && message.method === 'tools/call';
      const { message: text } = (await callFailure(error, { baseUrl, isChange })) as Error;
      terminal.error(text);
      if (id === undefined) return;
      await send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: text } });
    }
  }

  // The package’s transport would drop the responses to requests in flight when stdin ends.
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      const passing = pass(deserializeMessage(line)).finally(() => inFlight.delete(passing));
      inFlight.add(passing);
    } catch {
      terminal.error('a line on stdin is not an MCP message');
    }
  }
  await Promise.all(inFlight);
}

const send = (message: JSONRPCMessage) =>
  new Promise<void>((resolve) => process.stdout.write(serializeMessage(message), () => resolve()));

/** Returns the answer, or null where the message needs none. Throws errors that `callFailure` explains. */
async function post(
  endpoint: URL,
  headers: Record<string, string>,
  message: JSONRPCMessage,
): Promise<JSONRPCMessage | null> {
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(message) });
  const text = await response.text();
  if (text === '' && response.ok) return null;
  const body = JSON.parse(text);
  const isAnswer = 'id' in message && body.jsonrpc === '2.0' && body.id === message.id;
  if (response.ok || isAnswer) return body as JSONRPCMessage;
  // The API names its error; the protocol’s own refusals contain one.
  const { error, message: said } = body as { error?: unknown; message?: string };
  throw new CommandError(typeof error === 'string' ? `${error}: ${said}` : JSON.stringify(error));
}

/** The headers that revision 2026-07-28 wants to repeat what a message says; none for older revisions. */
function metadataOf(message: JSONRPCMessage): Record<string, string> {
  if (!('method' in message)) return {};
  const { _meta, name, uri } = (message.params ?? {}) as {
    _meta?: Record<string, unknown>;
    name?: string;
    uri?: string;
  };
  const version = _meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof version !== 'string') return {};
  const named = name ?? uri;
  return {
    'mcp-protocol-version': headerValue(version),
    'mcp-method': headerValue(message.method),
    ...(typeof named === 'string' && { 'mcp-name': headerValue(named) }),
  };
}

/** Encodes text that no header can carry, as the protocol says. */
function headerValue(value: string): string {
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
