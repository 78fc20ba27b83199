import { beforeAll, describe, expect, test } from '@jest/globals';
import { find, names, podOf } from '../support/manifests.ts';
import { prepareTools, render, renderWith } from '../support/render-chart.ts';

beforeAll(prepareTools);

describe('TLS between the services', () => {
  const FILES = { TLS_CERT_FILE: 'tls.crt', TLS_KEY_FILE: 'tls.key', TLS_CA_FILE: 'ca.crt' };
  const urlsIn = (env: Record<string, string>) =>
    names.flatMap((name) => env[`${name.toUpperCase()}_URL`] ?? []).map((url) => new URL(url));
  const variablesIn = (container: { env: { name: string; value?: string }[] }) =>
    Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value]));
  const secretOf = (pod: { volumes: { name: string; secret?: { secretName: string } }[] }) =>
    pod.volumes.find(({ name }) => name === 'tls')?.secret?.secretName;

  test('gives each service a certificate for the name by which others call it', async () => {
    const manifests = await render('internal-tls');
    for (const name of names) {
      const { dnsNames, secretName } = find(manifests, 'Certificate', name).spec;
      expect(dnsNames).toContain(find(manifests, 'Service', name).metadata.name);
      const pod = podOf(manifests, name);
      expect(secretOf(pod)).toBe(secretName);
      const [container] = pod.containers;
      const { mountPath } = container.volumeMounts.find((mount: { name: string }) => mount.name === 'tls');
      const { data } = find(manifests, 'ConfigMap', name);
      for (const [variable, file] of Object.entries(FILES))
        expect(data[variable]).toBe(`${mountPath}/${file}`);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
        expect(container[probe].httpGet.scheme).toBe('HTTPS');
      for (const { appProtocol } of find(manifests, 'Service', name).spec.ports)
        expect(appProtocol).toBe('https');
      expect(new Set(urlsIn(data).map(({ protocol }) => protocol))).toEqual(new Set(['https:']));
    }
  });

  test('lets commands, helm test and Prometheus verify it', async () => {
    const manifests = await render('internal-tls');
    const tools = podOf(manifests, 'tools');
    const variables = variablesIn(tools.containers[0]);
    expect(
      urlsIn(variables)
        .map(({ origin }) => origin)
        .sort(),
    ).toEqual(names.map((name) => `https://waymark-${name}:8080`).sort());
    expect(variables['TLS_CA_FILE']).toBe('/etc/waymark/tls/ca.crt');
    const tested = find(manifests, 'Pod', 'test').spec;
    expect(variablesIn(tested.containers[0])['NODE_EXTRA_CA_CERTS']).toBe('/etc/waymark/tls/ca.crt');
    expect(tested.containers[0].args[0]).not.toContain('http://');
    // Neither has a private key.
    for (const { volumes } of [tools, tested])
      expect(volumes.find(({ name }: { name: string }) => name === 'tls').secret.items).toEqual([
        { key: 'ca.crt', path: 'ca.crt' },
      ]);
    for (const name of names) {
      const { selector, endpoints } = find(manifests, 'ServiceMonitor', name).spec;
      expect(find(manifests, 'Service', name).metadata.labels).toMatchObject(selector.matchLabels);
      const { dnsNames, secretName } = find(manifests, 'Certificate', name).spec;
      expect(endpoints).toMatchObject([
        { scheme: 'https', tlsConfig: { ca: { secret: { name: secretName, key: 'ca.crt' } } } },
      ]);
      expect(dnsNames).toContain(endpoints[0].tlsConfig.serverName);
    }
  });

  test('leaves the port of the gateway for requests to its proxy, unless PUBLIC_TLS is set', async () => {
    const manifests = await renderWith('everything-on', '--set', 'internalTls.existingSecret=own');
    expect(manifests.filter(({ kind }) => kind === 'Certificate')).toEqual([]);
    expect(new Set(names.map((name) => secretOf(podOf(manifests, name))))).toEqual(new Set(['own']));
    const ports = find(manifests, 'Service', 'gateway').spec.ports;
    expect(ports).toMatchObject([{ appProtocol: 'http' }, { appProtocol: 'https' }]);
    const variables = variablesIn(podOf(manifests, 'tools').containers[0]);
    expect(variables).toMatchObject({
      GATEWAY_URL: 'http://waymark-gateway:8080',
      AUDIT_URL: 'https://waymark-audit:8080',
    });
  });

  test('has no effect in mode single', async () => {
    const set = ['--set', 'internalTls.certManager.enabled=true,internalTls.certManager.issuerRef.name=a'];
    // An evaluation generates another Secret each time.
    const [without, withTls] = [await renderWith('single'), await renderWith('single', ...set)].map((all) =>
      all.filter(({ kind }) => kind !== 'Secret'),
    );
    expect(withTls).toEqual(without);
  });
});
