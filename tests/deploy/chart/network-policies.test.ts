import { beforeAll, describe, expect, test } from '@jest/globals';
import { componentsOf, find, names, type Peer, valueSets } from '../support/manifests.ts';
import { type Manifest, prepareTools, render } from '../support/render-chart.ts';
import { serviceNeeds } from '../support/service-needs.ts';

beforeAll(prepareTools);

describe('network policies', () => {
  test.each(names)(
    '%s can reach only what its configuration names, and only its callers can reach it',
    async (name) => {
      const manifests = await render('evaluation');
      const { ingress, egress } = find(manifests, 'NetworkPolicy', name).spec;
      const peersAt = (port: number) =>
        egress
          .filter(
            (rule: Manifest) => (rule as never as { ports: { port: number }[] }).ports[0]!.port === port,
          )
          .flatMap((rule: { to?: [] }) => rule.to ?? []);
      expect(componentsOf(peersAt(8080))).toEqual(serviceNeeds(name).calls);
      const stores = { mongodb: 27017, redis: 6379, nats: 4222 };
      const reached = Object.entries(stores).filter(([, port]) => peersAt(port).length > 0);
      expect(reached.map(([store]) => store).sort()).toEqual(serviceNeeds(name).stores);

      const callers = names.filter((caller) => serviceNeeds(caller).calls.includes(name)).sort();
      const [requests] = ingress;
      if (name === 'gateway') expect(requests.from).toBeUndefined();
      else expect(componentsOf(requests.from)).toEqual(callers);
      const [withTools] = find(await render('everything-on'), 'NetworkPolicy', name).spec.ingress;
      if (name === 'gateway') return;
      expect(componentsOf(withTools.from)).toEqual([...callers, 'tools'].sort());
    },
  );

  test('only webhooks can reach the internet, and it cannot reach private addresses', async () => {
    const manifests = await render('everything-on');
    const outward = manifests.filter(({ spec }) => JSON.stringify(spec ?? {}).includes('0.0.0.0/0'));
    expect(outward.map(({ metadata }) => metadata.name)).toEqual(['waymark-webhooks']);
    const rule = outward[0]!.spec.egress.find(
      (each: { to?: { ipBlock?: unknown }[] }) => each.to?.[0]?.ipBlock,
    );
    expect(rule.ports.map((each: { port: number }) => each.port)).toEqual([443, 8443, 9443]);
    const [v4, v6] = rule.to.map((each: { ipBlock: { cidr: string; except: string[] } }) => each.ipBlock);
    expect([v4.cidr, v6.cidr]).toEqual(['0.0.0.0/0', '2000::/3']);
    expect(v4.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '198.51.100.0/24']));
    expect(v4.except.join()).not.toContain(':');
    expect(v6.except).toEqual(['2001:db8::/32']);
  });

  test('only accounts gets the mail server, and can reach it', async () => {
    const manifests = await render('everything-on');
    const reaching = manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .filter(({ spec }) => JSON.stringify(spec.egress).includes('203.0.113.25/32'));
    expect(reaching.map(({ metadata }) => metadata.name)).toEqual(['waymark-accounts']);
    const sending = manifests.filter(({ data }) => data && 'MAIL_FROM' in data);
    expect(sending.map(({ metadata }) => metadata.name)).toEqual(['waymark-accounts']);
    expect(JSON.stringify(find(await render('ha'), 'ConfigMap', 'accounts').data)).not.toContain('MAIL_FROM');
  });

  test('webhooks can also reach the networks that the operator allows', async () => {
    const { spec } = find(await render('everything-on'), 'NetworkPolicy', 'webhooks');
    const rules = spec.egress
      .filter((each: { to?: { ipBlock?: unknown }[] }) => each.to?.[0]?.ipBlock)
      .slice(1, -1);
    const named = rules.map(({ ports, to }: { ports: { port: number }[]; to: { ipBlock: object }[] }) => [
      to.map(({ ipBlock }) => ipBlock),
      ports.map(({ port }) => port),
    ]);
    expect(named).toEqual([
      [[{ cidr: '10.20.0.0/16' }], [443, 8443, 9443]],
      [[{ cidr: '10.30.0.5/32' }], [443, 8443, 9443, 80]],
      [[{ cidr: '10.40.0.6/32' }], [9000]],
      [[{ cidr: 'fd12::/48' }], [8443]],
    ]);
  });

  test.each(valueSets)(
    'each rule names its destination, except for stores at unknown addresses: %s',
    async (values) => {
      const manifests = await render(values);
      const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
      const openPorts = policies
        .flatMap(({ spec }): { ports: { port: number }[]; to?: unknown[] | null }[] => spec.egress)
        .filter(({ to }) => !to?.length)
        .flatMap(({ ports }) => ports.map(({ port }) => port));
      const expectedPorts = ['default-external', 'gateway-api', 'secret-files'].includes(values)
        ? [4222, 6379, 27017]
        : [];
      expect([...new Set(openPorts)].sort((a, b) => a - b)).toEqual(expectedPorts);
    },
  );

  test('helm test can send its requests when the allowed peers are restricted', async () => {
    for (const [values, port] of [
      ['gateway-api', 8080],
      ['everything-on', 9090],
    ] as const) {
      const manifests = await render(values);
      const pod = find(manifests, 'Pod', 'test');
      const asked = [...JSON.stringify(pod.spec).matchAll(/(?:base|admin)}-(\w+):(\d+)/g)];
      const services = new Set(asked.filter(([, , at]) => Number(at) === port).map(([, name]) => name!));
      expect(services.size).toBe(port === 8080 ? 1 : names.length);
      for (const name of services) {
        const { ingress } = find(manifests, 'NetworkPolicy', name).spec;
        const rule = ingress.find((each: { ports: { port: number }[] }) => each.ports[0]!.port === port);
        expect(rule.from).toContainEqual({
          podSelector: {
            matchLabels: {
              'app.kubernetes.io/name': 'waymark',
              'app.kubernetes.io/instance': 'waymark',
              'app.kubernetes.io/component': pod.metadata.labels['app.kubernetes.io/component'],
            },
          },
        });
      }
    }
  });

  test.each(['evaluation', 'everything-on', 'single'])(
    'whoever may connect to pods of this release is admitted by them, and nobody else: %s',
    async (values) => {
      const policies = (await render(values)).filter(({ kind }) => kind === 'NetworkPolicy');
      const componentOf = ({ spec }: Manifest) =>
        spec.podSelector.matchLabels['app.kubernetes.io/component'] as string;
      const connections = (policy: Manifest, direction: 'ingress' | 'egress') =>
        (
          (policy.spec[direction] ?? []) as { ports: { port: number }[]; to?: Peer[]; from?: Peer[] }[]
        ).flatMap(({ ports, to, from }) =>
          (to ?? from ?? []).flatMap(({ podSelector, namespaceSelector }) => {
            if (!podSelector || namespaceSelector) return [];
            const peer = podSelector.matchLabels['app.kubernetes.io/component'];
            const ends = direction === 'egress' ? [componentOf(policy), peer] : [peer, componentOf(policy)];
            return ports.map(({ port }) => `${ends.join(' to ')} at ${port}`);
          }),
        );
      const opened = new Set(policies.flatMap((policy) => connections(policy, 'egress')));
      const admitted = new Set(policies.flatMap((policy) => connections(policy, 'ingress')));
      // Anyone reaches the gateway, unless its clients are restricted; the pod of helm test has no policy.
      for (const policy of policies)
        for (const { ports, from } of policy.spec.ingress ?? [])
          if (!from)
            for (const connection of opened)
              if (connection.endsWith(` to ${componentOf(policy)} at ${ports[0].port}`))
                admitted.add(connection);
      const fromTest = [...admitted].filter((connection) => connection.startsWith('test to '));
      expect([...admitted].sort()).toEqual([...opened, ...fromTest].sort());
      expect(opened.size).toBeGreaterThan(5);
    },
  );

  test.each(['evaluation', 'everything-on', 'single'])(
    'a network policy covers every pod: %s',
    async (values) => {
      const manifests = await render(values);
      const covered = manifests
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map(({ spec }) => spec.podSelector.matchLabels['app.kubernetes.io/component']);
      const pods = manifests
        .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
        .map(({ spec }) => spec.template.metadata.labels['app.kubernetes.io/component']);
      expect(pods.filter((pod) => !covered.includes(pod))).toEqual([]);
    },
  );
});
