import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@waymark/contracts';
import { environmentOf } from '../../../apps/cli/src/databases.ts';
import { readStages } from '../../../dev/stand-ins/docker/read-dockerfile.ts';
import { componentsOf, find, names, podOf, type SecretVariable } from '../support/manifests.ts';
import { type Manifest, prepareTools, render, renderWith, root } from '../support/render-chart.ts';
import { variablesOf } from '../support/service-needs.ts';

beforeAll(prepareTools);

describe('mode single', () => {
  const single = () => render('single');
  let separated: Manifest[];
  beforeAll(async () => {
    separated = await renderWith('single', '--set', 'mode=services');
  });
  const environmentIn = (manifests: Manifest[], deployment: string): Record<string, string> => {
    const [{ env }] = podOf(manifests, deployment).containers;
    const direct = env.map(({ name, valueFrom, ...rest }: SecretVariable & { value?: string }) => [
      name,
      valueFrom ? `the key ${valueFrom.secretKeyRef.key}` : rest.value,
    ]);
    return { ...find(manifests, 'ConfigMap', deployment).data, ...Object.fromEntries(direct) };
  };

  test('runs one pod, from the image of the commands, as that image does', async () => {
    const manifests = await single();
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['waymark-single', 'waymark-tools']);
    expect(manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
    const { replicas, template } = deployments[0]!.spec;
    expect(replicas).toBe(1);
    const { containers, initContainers, nodeSelector } = template.spec;
    const dockerfile = readStages(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'));
    expect(containers[0]).toMatchObject({
      image: 'registry.example.com/waymark/cli:1.0.0',
      args: [...dockerfile.at(-1)!.cmd, 'all'],
      resources: { limits: { memory: '2Gi' } },
      securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    expect(initContainers[0].args.slice(0, 4)).toEqual(['node', 'main.mjs', 'migrate', '--wait']);
    expect(initContainers[0].args.slice(4).sort()).toEqual(names.filter((name) => name !== 'gateway').sort());
    expect([nodeSelector, template.metadata.labels['example.com/team']]).toEqual([
      { disk: 'fast' },
      'platform',
    ]);
    expect(template.spec.volumes[0]).toEqual({ name: 'tmp', emptyDir: { sizeLimit: '768Mi' } });
  });

  test.each(names)('gives %s the environment that it has in its own pod, but for addresses', async (name) => {
    const own = environmentIn(separated, name);
    const shared = environmentOf(name, environmentIn(await single(), 'single'));
    const addresses = ['PORT', 'ADMIN_PORT', ...names.map((each) => `${each.toUpperCase()}_URL`)];
    const compared = [
      ...variablesOf(name),
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'TZ',
      'NODE_EXTRA_CA_CERTS',
    ].filter((variable) => !addresses.includes(variable));
    const pick = (env: Record<string, string | undefined>) =>
      Object.fromEntries(compared.map((variable) => [variable, env[variable] || undefined]));
    const { MONGODB_DATABASE = environmentOf(name, {}).MONGODB_DATABASE } = own;
    expect(pick(shared)).toEqual(pick(name === 'gateway' ? own : { ...own, MONGODB_DATABASE }));
    expect(shared['LOG_LEVEL']).toBe(name === 'decisions' ? 'debug' : 'warn');
    // Without URLs, services call each other at their default ports on loopback.
    for (const variable of addresses.slice(2)) expect(shared).not.toHaveProperty(variable);
  });

  test('keeps stores, volumes, addresses, migrations and commands when it changes', async () => {
    const manifests = await single();
    const kept = (all: Manifest[], kind: string) => all.filter((manifest) => manifest.kind === kind);
    for (const kind of ['StatefulSet', 'Job', 'CronJob', 'HTTPRoute', 'ServiceMonitor', 'Pod'])
      expect([kind, kept(manifests, kind)]).toEqual([kind, kept(separated, kind)]);
    expect(kept(manifests, 'StatefulSet')).toHaveLength(3);
    expect(find(manifests, 'Deployment', 'tools')).toEqual(find(separated, 'Deployment', 'tools'));
    const addressesOf = (all: Manifest[]) =>
      kept(all, 'Service').map(({ metadata, spec }) => [
        metadata,
        spec.ports.map(({ targetPort, ...port }: { targetPort: number }) => port),
      ]);
    expect(addressesOf(manifests)).toEqual(addressesOf(separated));
    const keys = (all: Manifest[]) => Object.keys(kept(all, 'Secret')[0]!.data);
    expect(keys(manifests)).toEqual(keys(separated));
  });

  test.each(names)('leads requests and scrapes of %s to its ports in the pod', async (name) => {
    const { selector, ports } = find(await single(), 'Service', name).spec;
    expect(selector['app.kubernetes.io/component']).toBe('single');
    const expected = name === 'gateway' ? [8080, 9090] : [services[name].port, services[name].adminPort];
    expect(ports.map(({ targetPort }: { targetPort: number }) => targetPort)).toEqual(expected);
  });

  test('admits clients to the gateway, and to the other services only commands and scrapes', async () => {
    const { ingress, egress } = find(await single(), 'NetworkPolicy', 'single').spec;
    const [requests, others, scrapes] = ingress.map(
      ({ ports, from }: { ports: { port: number }[]; from: object[] }) => [
        ports.map(({ port }) => port).sort(),
        JSON.stringify(from),
      ],
    );
    expect(ingress).toHaveLength(3);
    expect(requests).toEqual([[8080], expect.stringContaining('gateways')]);
    const storing = names.filter((name) => name !== 'gateway');
    expect(others[0]).toEqual(storing.map((name) => services[name].port));
    expect(componentsOf(ingress[1].from)).toEqual(['tools']);
    expect(scrapes).toEqual([
      [...storing.map((name) => services[name].adminPort), 9090].sort(),
      expect.stringContaining('monitoring'),
    ]);
    // Stores, webhooks, mail and what the operator adds for one service; no other service.
    const blocks = [...JSON.stringify(egress).matchAll(/"cidr":"([^"]+)"/g)].map(([, cidr]) => cidr);
    expect(blocks).toEqual(
      expect.arrayContaining(['0.0.0.0/0', '10.20.0.0/16', '203.0.113.25/32', '203.0.113.0/24']),
    );
    expect(JSON.stringify(egress)).not.toContain('"port":8080');
  });

  test('alerts when the one pod is gone', async () => {
    const rule = (await single()).find(({ kind }) => kind === 'PrometheusRule')!;
    expect(JSON.stringify(rule)).toContain('service=\\"transfer\\"}) < 1');
  });
});
