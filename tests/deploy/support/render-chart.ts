import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { parseAllDocuments } from 'yaml';
import { run } from './run.ts';
import { acquireHelm, acquireKubernetesValidate } from './tools.ts';

export const root = findRepositoryRoot();
export const chart = join(root, 'deploy/helm/waymark');
const valuesFolder = join(root, 'tests/deploy/values');
/** The newest Kubernetes version whose schemas are checked. Helm renders for this version. */
const KUBERNETES = '1.36';

/** The fields that tests read. A manifest has more. */
// biome-ignore lint/suspicious/noExplicitAny: manifests of all kinds, checked against their schemas elsewhere.
export type Manifest = { kind: string; apiVersion: string; metadata: any; spec: any; data?: any };

const log = (line: string) => process.stderr.write(`${line}\n`);
let helm: string;
let validator: Awaited<ReturnType<typeof acquireKubernetesValidate>>;

/** Finds, fetches or builds the tools that this module needs. Call it first, with a timeout of minutes. */
export async function prepareTools(): Promise<void> {
  validator = await acquireKubernetesValidate(log);
  helm = await acquireHelm(log);
}

export const lint = (values?: string) =>
  run(helm, ['lint', '--strict', '--kube-version', `${KUBERNETES}.0`, ...from(values), chart]);

const rendered = new Map<string | undefined, Promise<Manifest[]>>();

/** Returns what `helm template` renders for a value set in tests/deploy/values, or for none; each once. */
export function render(values?: string): Promise<Manifest[]> {
  const known = rendered.get(values);
  if (known) return known;
  const manifests = renderWith(values);
  rendered.set(values, manifests);
  return manifests;
}

/** Returns what an upgrade would render for a value set, in the cluster with the API server at `url`. */
export const renderInto = (url: string, values: string) =>
  renderWith(
    values,
    ...['--dry-run=server', '--kube-apiserver', url, '--is-upgrade', '--disable-openapi-validation'],
  );

/** Returns what `helm template` renders for a value set with further arguments. Throws if it fails. */
export async function renderWith(values: string | undefined, ...args: string[]): Promise<Manifest[]> {
  const result = await template([...from(values), ...args]);
  if (result.code !== 0) throw new Error(result.output);
  return parseAllDocuments(result.stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** Runs `helm template` with further arguments, such as wrong values. */
export const template = (args: string[]) =>
  run(helm, [
    'template',
    'waymark',
    chart,
    '--kube-version',
    `${KUBERNETES}.0`,
    '--namespace',
    'work',
    ...args,
  ]);

/** Validates the manifests of each file against the Kubernetes schemas and refuses unknown fields. */
export async function validate(manifests: Record<string, Manifest[]>) {
  const { command, args, env } = validator;
  for (const [file, each] of Object.entries(manifests))
    await writeFile(file, each.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
  return run(command, [...args, '--strict', '-k', KUBERNETES, ...Object.keys(manifests)], env);
}

/** The arguments that read a value set of tests/deploy/values. */
export const from = (values?: string) => (values ? ['-f', join(valuesFolder, `${values}.yaml`)] : []);
