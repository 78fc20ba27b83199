import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The tools that change something. */
export const WRITES = [
  'log_decision',
  'update_decision',
  'log_outcome',
  'give_forecast',
  'add_node',
  'post_message',
  'comment_on_decision',
];
export const READS = [
  ...['find_governing_decision', 'get_decision', 'list_decisions', 'list_overdue_decisions'],
  ...['explain_decision_score', 'search', 'fetch', 'list_workflows', 'get_workflow', 'get_thread'],
  ...['get_discussion', 'list_approvals', 'list_forecasts', 'list_audit_log', 'whoami'],
];

/** Clients of MCP servers, all of which `close` ends. */
export function mcpClients() {
  const clients: Client[] = [];

  async function connect(transport: object): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    // The types of the package ignore exactOptionalPropertyTypes.
    await client.connect(transport as Transport);
    clients.push(client);
    // From then on, the client checks each result against the schema of its tool.
    await client.listTools();
    return client;
  }

  return {
    connect,
    /** Connects to the server of a gateway. */
    connectTo: (origin: string, headers: Record<string, string>, query = '') =>
      connect(
        new StreamableHTTPClientTransport(new URL(`/mcp${query}`, origin), { requestInit: { headers } }),
      ),
    async close(): Promise<void> {
      for (const client of clients) await client.close();
    },
  };
}

export const toolsOf = async (client: Client) => (await client.listTools()).tools;
export const namesOf = async (client: Client) => (await toolsOf(client)).map(({ name }) => name).sort();

/** Calls a tool, and returns its structured result with `isError`. */
// biome-ignore lint/suspicious/noExplicitAny: tools return records of every shape
export async function callTool(client: Client, name: string, given: object = {}): Promise<any> {
  const result = (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;
  const { structuredContent, isError = false } = result;
  return { ...structuredContent, isError };
}
