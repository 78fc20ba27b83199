import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The kinds of live objects in tests. The server reports all other kinds as unknown. */
const resources = [
  { group: 'apps/v1', kind: 'Deployment', name: 'deployments' },
  { group: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'horizontalpodautoscalers' },
] as const;

export interface LiveObject {
  kind: (typeof resources)[number]['kind'];
  metadata: { name: string; annotations?: Record<string, string> };
  spec?: { replicas: number };
}

/**
 * Serves the chart's `lookup` calls to the Kubernetes API, as if `objects` were live in the namespace work.
 */
export async function serveLiveObjects(objects: LiveObject[]) {
  const answers = new Map<string, unknown>();
  for (const { group, kind, name } of resources) {
    const known = [{ kind, name, namespaced: true, singularName: '', verbs: ['get', 'list'] }];
    answers.set(`/apis/${group}`, {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: group,
      resources: known,
    });
    for (const live of objects.filter((object) => object.kind === kind))
      answers.set(`/apis/${group}/namespaces/work/${name}/${live.metadata.name}`, {
        apiVersion: group,
        ...live,
      });
  }
  const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
  const server = createServer(({ url = '' }, response) => {
    const answer = answers.get(url.split('?')[0]!);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? missing));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
