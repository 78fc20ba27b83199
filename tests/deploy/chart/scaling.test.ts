import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { operationList } from '@waymark/contracts';
import { serveLiveObjects } from '../support/live-objects.ts';
import { find, names } from '../support/manifests.ts';
import { prepareTools, render, renderInto, renderWith, root } from '../support/render-chart.ts';

beforeAll(prepareTools);

describe('scaling', () => {
  test('uses CPU or requests in flight, and for audit and webhooks also the number of pending events', async () => {
    const manifests = await render('ha');
    const metricsOf = (name: string) => find(manifests, 'HorizontalPodAutoscaler', name).spec.metrics;
    expect(metricsOf('decisions')).toEqual([
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
      },
    ]);
    const target = { type: 'AverageValue', averageValue: '6' };
    expect(metricsOf('gateway')).toEqual([
      { type: 'Pods', pods: { metric: { name: 'waymark_requests_in_flight' }, target } },
    ]);
    for (const name of ['audit', 'webhooks']) {
      expect(metricsOf(name)[1].external.metric).toEqual({
        name: 'waymark_consumer_lag',
        selector: { matchLabels: { consumer: name } },
      });
    }
    // An autoscaler and Helm must not both set the number of replicas.
    expect(find(manifests, 'Deployment', 'decisions').spec.replicas).toBeUndefined();
    const annotations = { 'waymark/replicas': 'autoscaler' };
    expect(find(manifests, 'Deployment', 'decisions').metadata.annotations).toEqual(annotations);
    expect(find(manifests, 'Deployment', 'search').metadata.annotations).toBeUndefined();
    expect(find(manifests, 'HorizontalPodAutoscaler', 'search')).toBeUndefined();
    expect(find(manifests, 'Deployment', 'search').spec.replicas).toBe(3);
  });

  test.each<[string, string | undefined, string, number | undefined]>([
    ['omitted from the first install on', 'autoscaler', 'autoscaler', undefined],
    ['named before autoscaling was enabled', undefined, 'helm', 7],
    ['named when autoscaling was enabled', 'helm', 'helm', 7],
  ])('replicas that were %s stay so', async (_, annotation, expected, replicas) => {
    const annotations = {
      'deployment.kubernetes.io/revision': '1',
      ...(annotation && { 'waymark/replicas': annotation }),
    };
    const metadata = { name: 'waymark-decisions', annotations };
    const live = await serveLiveObjects([{ kind: 'Deployment', metadata, spec: { replicas: 7 } }]);
    try {
      const manifests = await renderInto(live.url, 'ha');
      const { metadata, spec } = find(manifests, 'Deployment', 'decisions');
      expect(metadata.annotations).toEqual({ 'waymark/replicas': expected });
      expect(spec.replicas).toBe(replicas);
    } finally {
      live.close();
    }
  });

  test('zero replicas stop a service that an autoscaler scales, and it starts again with the minimum', async () => {
    const manifests = await renderWith('ha', '--set', 'defaults.replicas=0');
    const { metadata, spec } = find(manifests, 'Deployment', 'decisions');
    expect([metadata.annotations, spec.replicas]).toEqual([{ 'waymark/replicas': 'helm' }, 0]);

    const live = await serveLiveObjects([{ kind: 'Deployment', metadata, spec: { replicas: 0 } }]);
    try {
      expect(find(await renderInto(live.url, 'ha'), 'Deployment', 'decisions').spec.replicas).toBe(3);
    } finally {
      live.close();
    }
  });

  test('only one pod of a service is removed at a time', async () => {
    const manifests = await render('default-external');
    for (const name of names)
      expect(find(manifests, 'PodDisruptionBudget', name).spec.maxUnavailable).toBe(1);
  });
});

describe('ingress', () => {
  test('an Ingress and a Gateway API route lead only to the gateway', async () => {
    const manifests = await render('everything-on');
    const ingress = manifests.find(({ kind }) => kind === 'Ingress')!;
    expect(ingress.spec.rules[0].http.paths[0].backend.service.name).toBe('waymark-gateway');
    const route = manifests.find(({ kind }) => kind === 'HTTPRoute')!;
    expect(route.spec.rules[0].backendRefs).toEqual([{ name: 'waymark-gateway', port: 8080 }]);
  });
});

test('ingress-nginx accepts exactly the request sizes that the gateway accepts', () => {
  const guide = readFileSync(join(root, 'docs/operating/kubernetes.md'), 'utf8');
  const [, gibibytes] = /proxy-body-size: (\d+)g$/m.exec(guide)!;
  const largest = Math.max(...operationList.map(({ bodyLimitBytes = 0 }) => bodyLimitBytes));
  expect(Number(gibibytes) * 2 ** 30).toBe(largest);
});
