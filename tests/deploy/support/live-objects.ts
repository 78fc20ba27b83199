import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The kinds that a chart rendered for this server may have: Helm 4 looks each of them up. */
const resources = [
  { group: 'v1', kind: 'ConfigMap', name: 'configmaps' },
  { group: 'v1', kind: 'Pod', name: 'pods' },
  { group: 'v1', kind: 'Service', name: 'services' },
  { group: 'v1', kind: 'ServiceAccount', name: 'serviceaccounts' },
  { group: 'apps/v1', kind: 'Deployment', name: 'deployments' },
  { group: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'horizontalpodautoscalers' },
  { group: 'batch/v1', kind: 'Job', name: 'jobs' },
  { group: 'networking.k8s.io/v1', kind: 'Ingress', name: 'ingresses' },
  { group: 'networking.k8s.io/v1', kind: 'NetworkPolicy', name: 'networkpolicies' },
  { group: 'policy/v1', kind: 'PodDisruptionBudget', name: 'poddisruptionbudgets' },
] as const;
const pathOf = (group: string) => (group === 'v1' ? '/api/v1' : `/apis/${group}`);

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
  const versions = [...new Set(resources.map(({ group }) => group))];
  for (const groupVersion of versions) {
    const known = resources
      .filter(({ group }) => group === groupVersion)
      .map(({ kind, name }) => ({ kind, name, namespaced: true, singularName: '', verbs: ['get', 'list'] }));
    answers.set(pathOf(groupVersion), {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion,
      resources: known,
    });
  }
  const groups = versions.slice(1).map((groupVersion) => {
    const [name, version] = groupVersion.split('/');
    return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
  });
  answers.set('/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups });
  answers.set('/api', { kind: 'APIVersions', versions: ['v1'] });
  answers.set('/version', { major: '1', minor: '36', gitVersion: 'v1.36.0' });
  for (const live of objects) {
    const { group, name } = resources.find(({ kind }) => kind === live.kind)!;
    const path = `${pathOf(group)}/namespaces/work/${name}/${live.metadata.name}`;
    answers.set(path, { apiVersion: group, ...live });
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
