import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, services } from '@waymark/contracts';
import { type Manifest, render, root } from './render-chart.ts';
import { optionalSecretNames, secretNames } from './service-needs.ts';

export const names = Object.keys(services) as ServiceName[];
export const valueSets = readdirSync(join(root, 'tests/deploy/values')).map((file) =>
  file.replace('.yaml', ''),
);
/** Those with pods for each service, and secrets in their environments. */
export const separate = valueSets.filter((values) => !['single', 'secret-files'].includes(values));
export const everySecret = [...secretNames, ...optionalSecretNames];

export interface SecretVariable {
  name: string;
  valueFrom?: { secretKeyRef: { key: string; optional?: true } };
}
export interface Peer {
  podSelector?: { matchLabels: Record<string, string> };
  namespaceSelector?: object;
}

export const find = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === `waymark-${name}`)!;
/** Finds the Job by its kind, because its name contains the revision and a hash of its content. */
export const migrationOf = (manifests: Manifest[]) => manifests.find(({ kind }) => kind === 'Job')!;
export const podOf = (manifests: Manifest[], name: string) =>
  find(manifests, 'Deployment', name).spec.template.spec;
export const componentsOf = (peers: { podSelector: { matchLabels: Record<string, string> } }[]) =>
  peers.map((peer) => peer.podSelector.matchLabels['app.kubernetes.io/component']).sort();

/** Returns the variables of the Secret that an evaluation generates. */
export async function evaluationSecrets(): Promise<Record<string, string>> {
  const { data } = (await render('evaluation')).find(({ kind }) => kind === 'Secret')!;
  const decoded = ([name, value]: [string, unknown]) => [
    name,
    Buffer.from(String(value), 'base64').toString(),
  ];
  return Object.fromEntries(Object.entries(data).map(decoded));
}
