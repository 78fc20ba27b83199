import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startProcess } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { runCommand } from '../../../libs/local-stack/src/process/run-command.ts';

const START_LIMIT_MS = 120_000;

/** Starts a control plane on loopback with one KWOK node and the volumes of three evaluations. */
export async function startCluster({ binaries, stages, folder, say }) {
  const [clientPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const token = randomBytes(16).toString('hex');
  const file = (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signing = file('service-accounts.key', privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const verifying = file('service-accounts.pub', publicKey.export({ type: 'spki', format: 'pem' }));
  const tokens = file('tokens.csv', `${token},admin,admin,system:masters\n`);
  const kubeconfig = file('kubeconfig.json', JSON.stringify(configuration(apiPort, token)));
  const processes = [];
  const launch = async (name, args, isReady) => {
    const logFile = join(folder, `${name}.log`);
    processes.unshift(await startProcess({ name, command: binaries[name], args, logFile, isReady }));
  };
  const kubectl = (...args) => runCommand(binaries.kubectl, ['--kubeconfig', kubeconfig, ...args]);
  const stop = async () => {
    for (const started of processes) await started.stop();
  };

  try {
    await launch('etcd', [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=http://127.0.0.1:${clientPort}`,
      `--advertise-client-urls=http://127.0.0.1:${clientPort}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
      `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
      '--unsafe-no-fsync',
    ]);
    const isReady = () => kubectl('get', '--raw', '/readyz').then(Boolean, () => false);
    const api = [
      `--etcd-servers=http://127.0.0.1:${clientPort}`,
      `--secure-port=${apiPort}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${join(folder, 'certificates')}`,
      `--token-auth-file=${tokens}`,
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${verifying}`,
      `--service-account-signing-key-file=${signing}`,
      '--service-cluster-ip-range=10.96.0.0/16',
    ];
    await launch('kube-apiserver', api, isReady);
    say('the API server answers');
    await launch('kube-controller-manager', [
      `--kubeconfig=${kubeconfig}`,
      `--service-account-private-key-file=${signing}`,
      '--use-service-account-credentials',
      '--leader-elect=false',
      '--secure-port=0',
    ]);
    await launch('kube-scheduler', [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0']);
    await launch('kwok', [
      `--kubeconfig=${kubeconfig}`,
      '--manage-all-nodes=true',
      '--node-lease-duration-seconds=40',
      ...stages.map((path) => `--config=${path}`),
    ]);
    const fixtures = {
      apiVersion: 'v1',
      kind: 'List',
      items: [node(), ...[1, 2, 3, 4, 5, 6].map(volume), priority],
    };
    await kubectl('apply', '-f', file('fixtures.json', JSON.stringify(fixtures)));
    const isNodeReady = () => kubectl('wait', '--for=condition=Ready', 'node/one', '--timeout=5s');
    await eventually(isNodeReady, START_LIMIT_MS);
    // The API server refuses pods until the controllers have created the namespace's service account.
    await eventually(() => kubectl('get', 'serviceaccount', 'default'), START_LIMIT_MS);
    say('a node is ready');
    return { kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const configuration = (port, token) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'test',
  clusters: [
    { name: 'test', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
  ],
  users: [{ name: 'admin', user: { token } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
});

const node = () => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'one',
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/hostname': 'one', 'kubernetes.io/os': 'linux' },
  },
  status: { allocatable: capacity, capacity },
});
const capacity = { cpu: '64', memory: '256Gi', pods: '200', 'ephemeral-storage': '1Ti' };

/** The priority class in everything-on.yaml; the API server refuses pods with an unknown one. */
const priority = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'high' },
  value: 1000,
};

const volume = (number) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `volume-${number}` },
  spec: {
    capacity: { storage: '10Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: `/var/volumes/${number}` },
  },
});
