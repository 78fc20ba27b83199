import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Decision, Message, Node, Workflow } from '@waymark/contracts';
import type { Env } from '@waymark/testing';

/** The records of the data services, by id. */
export interface DataServices {
  workflows: Map<string, Workflow>;
  nodes: Map<string, Node>;
  decisions: Map<string, Decision>;
  messages: Map<string, { workspace_id: string; version: number; message: Message }>;
  env: Env;
  stop(): Promise<void>;
}

/** Serves snapshots as the data services do, from records that a test adds. */
export async function startDataServices(): Promise<DataServices> {
  const data = { workflows: new Map(), nodes: new Map(), decisions: new Map(), messages: new Map() };
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const records = data[pathname.split('/')[2] as keyof typeof data] as Map<string, unknown>;
    const ids = [...records.keys()].filter((id) => id > (searchParams.get('after') ?? '')).sort();
    const page = ids.slice(0, Number(searchParams.get('limit'))).map((id) => records.get(id));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: page }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...data,
    env: { DECISIONS_URL: url, WORKFLOWS_URL: url, THREADS_URL: url },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
