import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const KUBERNETES = '1.36.3';
const ETCD = '3.6.8';
const KWOK = '0.8.0';

const ofKubernetes = (name) => {
  const module = 'k8s.io/kubernetes';
  return { name, module, version: KUBERNETES, path: `${module}/cmd/${name}` };
};
/** The programs with their module, version and package. */
const programs = [
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map(ofKubernetes),
  { name: 'etcd', module: 'go.etcd.io/etcd/server/v3', version: ETCD, path: 'go.etcd.io/etcd/server/v3' },
  { name: 'kwok', module: 'sigs.k8s.io/kwok', version: KWOK, path: 'sigs.k8s.io/kwok/cmd/kwok' },
];

/**
 * Builds the Kubernetes programs through the Go module proxy into `directory` and returns their paths. The
 * first build takes 15 minutes on an idle machine. Throws Error if Go is missing or a build fails.
 */
export function buildBinaries(directory, log) {
  if (spawnSync('go', ['version']).status !== 0) throw new Error('Go 1.26 is missing: see https://go.dev/dl');
  mkdirSync(directory, { recursive: true });
  const paths = {};
  for (const program of programs) {
    const target = join(directory, `${program.name}-${program.version}`);
    paths[program.name] = target;
    if (existsSync(target)) continue;
    log(`building ${program.name} ${program.version}`);
    const folder = join(directory, `module-${program.module.replaceAll('/', '-')}`);
    writeModule(folder, program);
    go(folder, ['build', '-trimpath', '-ldflags', versionFlags(program), '-o', target, program.path]);
  }
  return paths;
}

/** KWOK's stage files for nodes and pods, which this way of starting does not load by default. */
export function kwokStages(directory) {
  const { Dir } = JSON.parse(go(directory, ['mod', 'download', '-json', `sigs.k8s.io/kwok@v${KWOK}`]));
  return ['node/fast', 'node/heartbeat-with-lease', 'pod/fast'].flatMap((part) => {
    const folder = join(Dir, 'kustomize/stage', part);
    const files = readdirSync(folder).filter((name) => /^(node|pod)-.*\.yaml$/.test(name));
    return files.map((name) => join(folder, name));
  });
}

function go(folder, args) {
  const result = spawnSync('go', args, {
    cwd: folder,
    env: { ...process.env, GOFLAGS: '-mod=mod', CGO_ENABLED: '0', GOWORK: 'off' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status !== 0)
    throw new Error(`go ${args.join(' ')} failed: ${result.stderr.split('\n').slice(-5).join('\n')}`);
  return result.stdout;
}

/** Sets the version of kube-apiserver; the default 0.0.0 would fail the chart's version check. */
function versionFlags({ module, version }) {
  if (module !== 'k8s.io/kubernetes') return '-s -w';
  const [major, minor] = version.split('.');
  const values = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' };
  const flags = Object.entries(values).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  return ['-s -w', ...flags].join(' ');
}

/**
 * Writes a go.mod that requires the program's module and replaces Kubernetes' staging modules, which the
 * proxy serves separately.
 */
function writeModule(folder, { module, version, path }) {
  const file = join(folder, 'go.mod');
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `module waymark.test/binaries\n\ngo 1.26.0\n\nrequire ${module} v${version}\n`);
  writeFileSync(join(folder, 'tools.go'), `//go:build tools\n\npackage tools\n\nimport _ "${path}"\n`);
  const downloaded = JSON.parse(go(folder, ['mod', 'download', '-json', `${module}@v${version}`]));
  const staging = readFileSync(downloaded.GoMod, 'utf8').matchAll(/^\s*(\S+) => \.\/staging\/src\//gm);
  const replacements = [...staging].map(
    ([, name]) => `replace ${name} => ${name} v0.${version.split('.').slice(1).join('.')}\n`,
  );
  writeFileSync(file, [readFileSync(file, 'utf8'), ...replacements].join('\n'));
}
