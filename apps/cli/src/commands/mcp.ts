import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { BASE_PATH, mcpEndpoint } from '@waymark/contracts';
import { callFailure } from '../call-failure.ts';
import { CommandError } from '../command-error.ts';
import { connectionOf } from '../profiles/connection.ts';
import type { Terminal } from '../terminal.ts';

export interface McpOptions {
  writes: boolean;
  profile?: string;
}

/**
 * Passes messages between an MCP client on stdin and stdout and the MCP server of the gateway, until stdin
 * ends. stdout has messages only; what a person should read is on stderr.
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
  const stdio = new StdioServerTransport();
  const inFlight = new Set<Promise<void>>();

  async function pass(message: JSONRPCMessage): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    try {
      const answer = await post(endpoint, headers, message);
      if (answer === null) return;
      if ('result' in answer && typeof answer.result['protocolVersion'] === 'string')
        headers['mcp-protocol-version'] = answer.result['protocolVersion'];
      await stdio.send(answer);
    } catch (error) {
      const isChange = writes && 'method' in message && message.method === 'tools/call';
      const { message: text } = (await callFailure(error, { baseUrl, isChange })) as Error;
      terminal.error(text);
      if (id === undefined) return;
      await stdio.send({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: text } });
    }
  }

  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  stdio.onmessage = (message) => {
    const passing = pass(message).finally(() => inFlight.delete(passing));
    inFlight.add(passing);
  };
  stdio.onerror = () => terminal.error('a line on stdin is not an MCP message');
  process.stdin.once('end', end);
  await stdio.start();
  await ended;
  await Promise.all(inFlight);
  await stdio.close();
}

/** Returns the answer, or null where the message needs none. Throws what `callFailure` explains. */
async function post(
  endpoint: URL,
  headers: Record<string, string>,
  message: JSONRPCMessage,
): Promise<JSONRPCMessage | null> {
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(message) });
  const text = await response.text();
  if (text === '' && response.ok) return null;
  const body = JSON.parse(text);
  if (response.ok) return body as JSONRPCMessage;
  // The API names its error; the protocol’s own refusals contain one.
  const { error, message: said } = body as { error?: unknown; message?: string };
  throw new CommandError(typeof error === 'string' ? `${error}: ${said}` : JSON.stringify(error));
}
