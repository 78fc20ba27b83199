/**
 * npm run test:kubernetes: tests the chart on a Kubernetes control plane without containers.
 * kube-apiserver, etcd, the controllers and the scheduler run on this machine; KWOK simulates nodes, whose
 * containers start at once. It installs, upgrades (also from the chart of the previous release) and rolls
 * back, and lets the server validate every value set strictly. No container runs: `npm run test:rolling` has
 * the load.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@waymark/local-stack';
import { parseAllDocuments } from 'yaml';
import { runCommand as run } from '../../../libs/local-stack/src/process/run-command.ts';
import { acquireHelm } from '../../../tests/deploy/support/tools.ts';
import { buildBinaries, KUBERNETES, kwokStages } from './build-binaries.mjs';
import { startCluster } from './cluster.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const chart = join(root, 'deploy/helm/waymark');
const valuesFolder = join(root, 'tests/deploy/values');
const NAMESPACE = 'work';
const SERVICES = readdirSync(join(root, 'services')).length;
/** Definitions of the custom resources that the chart creates. */
const definitions = join(root, 'tests/deploy/definitions');

const startedAt = Date.now();
const say = (line) =>
  console.log(`${String(Math.round((Date.now() - startedAt) / 1_000)).padStart(5)} s  ${line}`);
let failures = 0;

async function step(name, work) {
  try {
    await work();
    say(`ok      ${name}`);
  } catch (error) {
    failures += 1;
    say(`failed  ${name}: ${error.message}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'waymark-kubernetes-'));
const binariesFolder = join(root, '.waymark', 'kubernetes');
const binaries = buildBinaries(binariesFolder, say);
const helmBinary = await acquireHelm(say);
const cluster = await startCluster({ binaries, stages: kwokStages(binariesFolder), folder, say });
const environment = { KUBECONFIG: cluster.kubeconfig };
const kubectl = (...args) => run(binaries.kubectl, args, environment);
const helmIn = (namespace, ...args) => run(helmBinary, [...args, '--namespace', namespace], environment);
const helm = (...args) => helmIn(NAMESPACE, ...args);
const wait = ['--wait', '--timeout', '3m'];

/** Throws unless every Deployment has its replicas and the Job of the revision is complete. */
async function assertRolledOut(revision) {
  // Helm waits until pods are ready; they become available a moment later.
  await kubectl(
    'wait',
    '-n',
    NAMESPACE,
    '--for=condition=Available',
    'deployments',
    '--all',
    '--timeout=60s',
  );
  const deployments = JSON.parse(await kubectl('get', 'deployments', '-n', NAMESPACE, '-o', 'json')).items;
  if (deployments.length !== SERVICES) throw new Error(`${deployments.length} deployments`);
  for (const { metadata, spec, status } of deployments) {
    if (status.availableReplicas !== spec.replicas) throw new Error(`${metadata.name} is not available`);
  }
  const jobs = (await kubectl('get', 'jobs', '-n', NAMESPACE, '-o', 'name')).trim().split('\n');
  const [job] = jobs;
  if (jobs.length !== 1 || !job.startsWith(`job.batch/waymark-migrate-${revision}-`))
    throw new Error(`${jobs}`);
  await kubectl('wait', '-n', NAMESPACE, '--for=condition=complete', job, '--timeout=60s');
}

/** Unpacks the chart of the release that installations upgrade from. */
async function previousChart() {
  const release = readFileSync(join(root, 'dev/release/previous-release'), 'utf8').trim();
  const archive = join(folder, 'previous.tar');
  await run('git', ['-C', root, 'archive', '--output', archive, release, 'deploy/helm/waymark']);
  await run('tar', ['--extract', '--file', archive, '--directory', folder]);
  return join(folder, 'deploy/helm/waymark');
}

/** Throws if a Deployment has fewer available pods than replicas at any moment of `work`. */
async function assertAlwaysAvailable(namespace, work) {
  const file = join(folder, `${namespace}-deployments`);
  const columns = '{.metadata.name} {.spec.replicas} {.status.availableReplicas}{"\\n"}';
  const watch = ['get', 'deployments', '-n', namespace, '--watch', '-o', `jsonpath=${columns}`];
  const args = ['--kubeconfig', cluster.kubeconfig, ...watch];
  const command = { name: 'kubectl', command: binaries.kubectl, args, logFile: file };
  const watching = await startProcess(command);
  await work().finally(() => watching.stop());
  const states = readFileSync(file, 'utf8').trim().split('\n');
  const short = states.filter((state) => {
    const [, replicas, available] = state.split(' ').map(Number);
    return !(available >= replicas);
  });
  if (short.length > 0) throw new Error(`name, replicas, available: ${short.slice(0, 5).join('; ')}`);
  say(`        ${states.length} states of the Deployments, each with all its replicas available`);
}

async function assertReplicas(namespace, service, expected) {
  const deployment = ['deployment', `waymark-${service}`, '-o', 'jsonpath={.spec.replicas}'];
  const replicas = await kubectl('get', '-n', namespace, ...deployment);
  if (replicas !== expected) throw new Error(`${replicas} replicas of ${service}, not ${expected}`);
}

/** Runs `helm template | kubectl apply`, as other renderers do. */
async function apply(namespace, values, helmOptions, applyOptions) {
  const from = ['--kube-version', KUBERNETES, '-f', join(valuesFolder, values)];
  const rendered = await helmIn(namespace, 'template', 'waymark', chart, ...from, ...helmOptions);
  const manifests = parseAllDocuments(rendered)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
  const file = join(folder, 'manifests.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
  await kubectl('apply', '--validate=strict', '-n', namespace, '-f', file, ...applyOptions);
}

try {
  await kubectl('create', 'namespace', NAMESPACE);
  await kubectl('apply', '-f', definitions);
  await kubectl('wait', '--for=condition=Established', '--timeout=60s', '-f', definitions);
  // Before the release is installed, because the server refuses objects of another release.
  for (const values of readdirSync(valuesFolder)) {
    await step(`the server takes ${values}`, () => apply(NAMESPACE, values, [], ['--dry-run=server']));
  }
  const customKinds = [
    'gatewayApi.enabled=true',
    'gatewayApi.parentRefs[0].name=public',
    'trustedProxies={10.0.0.0/8}',
    'monitoring.serviceMonitor.enabled=true',
    'monitoring.prometheusRule.enabled=true',
  ].join();
  const evaluation = ['-f', join(valuesFolder, 'evaluation.yaml')];
  await step('helm install --wait', async () => {
    await helm('install', 'waymark', chart, ...evaluation, '--set', customKinds, ...wait);
    await assertRolledOut(1);
    for (const kind of ['httproute', 'servicemonitor', 'prometheusrule'])
      await kubectl('get', '-n', NAMESPACE, `${kind}/waymark`);
  });
  const secret = () =>
    kubectl('get', 'secret', 'waymark-evaluation', '-n', NAMESPACE, '-o', 'jsonpath={.data}');
  const before = await secret();
  const keepingValues = '--reset-then-reuse-values';
  await step('helm upgrade --wait: more replicas, the same secrets', async () => {
    const more = ['--set', 'services.decisions.replicas=3'];
    await helm('upgrade', 'waymark', chart, keepingValues, ...more, ...wait);
    await assertRolledOut(2);
    if ((await secret()) !== before) throw new Error('the secrets changed');
  });
  await step('helm upgrade --wait: autoscaling, and no replica less', async () => {
    await helm(
      'upgrade',
      'waymark',
      chart,
      keepingValues,
      '--set',
      'defaults.autoscaling.enabled=true',
      ...wait,
    );
    await assertRolledOut(3);
    await assertReplicas(NAMESPACE, 'decisions', '3');
    await assertReplicas(NAMESPACE, 'threads', '2');
    await kubectl('scale', '-n', NAMESPACE, 'deployment/waymark-decisions', '--replicas=5');
    await helm('upgrade', 'waymark', chart, keepingValues, ...wait);
    await assertReplicas(NAMESPACE, 'decisions', '5');
  });
  await step('helm rollback --wait', async () => {
    await helm('rollback', 'waymark', '1', ...wait);
    await assertRolledOut(1);
    await assertReplicas(NAMESPACE, 'decisions', '2');
  });
  await step('a second upgrade after the rollback', async () => {
    await helm('upgrade', 'waymark', chart, keepingValues, ...wait);
    await assertRolledOut(6);
  });
  await step('an autoscaler that was there from the beginning keeps what it set', async () => {
    await kubectl('create', 'namespace', 'scaled');
    const scaled = ['-f', join(valuesFolder, 'ha.yaml')];
    await helmIn('scaled', 'install', 'waymark', chart, ...scaled);
    await kubectl('scale', '-n', 'scaled', 'deployment/waymark-decisions', '--replicas=7');
    await helmIn('scaled', 'upgrade', 'waymark', chart, ...scaled, '--set', 'image.tag=next');
    await assertReplicas('scaled', 'decisions', '7');
    await helmIn('scaled', 'rollback', 'waymark', '1');
    await assertReplicas('scaled', 'decisions', '7');
  });
  await step('helm upgrade from the chart of the previous release, and helm rollback to it', async () => {
    await kubectl('create', 'namespace', 'released');
    await helmIn('released', 'install', 'waymark', await previousChart(), ...evaluation, ...wait);
    const upgrade = (...more) =>
      helmIn('released', 'upgrade', 'waymark', chart, keepingValues, ...more, ...wait);
    const refused = await upgrade().then(
      () => 'nothing',
      (error) => error.message,
    );
    if (!refused.includes('cannot open the volume of mongo:6'))
      throw new Error(`the upgrade of MongoDB: ${refused}`);
    await assertAlwaysAvailable('released', async () => {
      await upgrade('--set', 'evaluation.mongodb.image=mongo:6.0.28');
      await helmIn('released', 'rollback', 'waymark', '1', ...wait);
      await upgrade('--set', 'evaluation.mongodb.image=mongo:6.0.28');
    });
  });
  await step('mode single, an upgrade of it, and mode services and back', async () => {
    await kubectl('create', 'namespace', 'single');
    const single = [...evaluation, '--set', 'mode=single,signUp=invite'];
    await helmIn('single', 'install', 'waymark', chart, ...single, ...wait);
    await assertAlwaysAvailable('single', () =>
      helmIn('single', 'upgrade', 'waymark', chart, keepingValues, '--set', 'defaults.env.TZ=UTC', ...wait),
    );
    for (const mode of ['services', 'single'])
      await helmIn('single', 'upgrade', 'waymark', chart, keepingValues, '--set', `mode=${mode}`, ...wait);
  });
  await step('helm template | kubectl apply, of one version and then of the next', async () => {
    await kubectl('create', 'namespace', 'applied');
    for (const version of ['now', 'next'])
      await apply('applied', 'default-external.yaml', ['--no-hooks', '--set', `image.tag=${version}`], []);
    const jobs = (await kubectl('get', 'jobs', '-n', 'applied', '-o', 'name')).trim().split('\n');
    if (jobs.length !== 2) throw new Error(`${jobs}`);
  });
} finally {
  await cluster.stop();
  if (failures > 0)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
      console.log(`${file}: ${readFileSync(join(folder, file), 'utf8').split('\n').slice(-5).join('\n')}`);
    }
  rmSync(folder, { recursive: true, force: true });
}
say(failures === 0 ? 'all of it' : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
