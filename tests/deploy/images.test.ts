import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { serviceEnvironment, testEnvironment, testFolder } from '@waymark/testing';
import { parse } from 'yaml';
import { neededPackages } from '../../deploy/docker/needed-packages.mjs';
import { readStages } from '../../dev/stand-ins/docker/read-dockerfile.ts';
import { run } from './support/run.ts';
import { acquireHadolint } from './support/tools.ts';

const root = findRepositoryRoot();
const dockerfile = join(root, 'deploy/docker/Dockerfile');
const text = readFileSync(dockerfile, 'utf8');
const image = readStages(text).at(-1)!;

describe('the Dockerfile', () => {
  let hadolint: string;
  beforeAll(async () => {
    hadolint = await acquireHadolint((line) => process.stderr.write(`${line}\n`));
  });

  test('passes hadolint', async () => {
    expect(await run(hadolint, ['--no-color', dockerfile])).toEqual({ code: 0, stdout: '', output: '' });
  });

  test('uses the pinned version of Node, by digest', () => {
    const pinned = readFileSync(join(root, '.node-version'), 'utf8').trim();
    expect(text).toMatch(
      new RegExp(`^ARG NODE_IMAGE=node:${pinned}-bookworm-slim@sha256:[0-9a-f]{64}$`, 'm'),
    );
    expect(text.match(/^FROM .*/gm)!.filter((line) => !/NODE_IMAGE| build /.test(line))).toEqual([]);
  });

  test('runs as a numeric non-root user, and starts the process without a shell', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(image.cmd[0]).toBe('node');
    expect(image.healthcheck).toEqual(['node', 'healthcheck.mjs']);
  });

  test('finds the commands that assemble.mjs writes', () => {
    expect(text).toMatch(/^ENV .* PATH=\/app\/bin:\$PATH$/m);
    const assemble = readFileSync(join(root, 'deploy/docker/assemble.mjs'), 'utf8');
    expect(assemble).toContain("join(target, 'bin', command)");
  });

  test('copies into the image only what one service needs', () => {
    expect(image.steps.filter((step) => step.run)).toEqual([]);
    expect(image.steps.flatMap((step) => step.copy ?? [])).toEqual([
      { from: 'package', sources: ['/app'], target: './' },
    ]);
  });

  const bake = readFileSync(join(root, 'deploy/docker/docker-bake.hcl'), 'utf8');

  test('is built for all architectures of a release, with its provenance, and says what it is built from', () => {
    const [, release = ''] = bake.split('target "release" {');
    expect(release).toContain('platforms = ["linux/amd64", "linux/arm64"]');
    expect(release).toContain('attest    = ["type=provenance,mode=max", "type=sbom"]');
    for (const name of ['title', 'version', 'licenses', 'revision', 'created', 'source'])
      expect(`${text}${bake}`).toContain(`org.opencontainers.image.${name}`);
    const releasing = readFileSync(join(root, 'dev/release/make-release.ts'), 'utf8');
    for (const name of ['REGISTRY', 'VERSION', 'REVISION', 'CREATED', 'SOURCE']) {
      expect(bake).toContain(`variable "${name}" {`);
      if (name !== 'SOURCE') expect(releasing).toContain(`${name}: `);
    }
  });

  test('has a target for every service', () => {
    const [, list = ''] = /variable "SERVICES" \{\s*default = \[(.*)\]/.exec(bake)!;
    const targets = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
    expect(targets.sort()).toEqual([...Object.keys(services), 'cli'].sort());
    const { annotations } = parse(readFileSync(join(root, 'deploy/helm/waymark/Chart.yaml'), 'utf8'));
    const images: { name: string; image: string }[] = parse(annotations['artifacthub.io/images']);
    expect(images.map(({ name }) => name).sort()).toEqual(targets.toSorted());
    for (const { name, image } of images) expect(image).toMatch(new RegExp(`^localhost/waymark/${name}:`));
    expect(readdirSync(join(root, 'services')).sort()).toEqual(Object.keys(services).sort());
  });
});

describe('the files of an image', () => {
  const folder = testFolder();

  test('include no package of tests and tools', () => {
    const { names, folders } = neededPackages(root, 'services/audit');
    for (const name of ['mongodb', 'bson', 'express', '@waymark/service-kit']) expect(names).toContain(name);
    for (const name of ['testcontainers', 'ssh2', 'docker-modem', 'vite', 'typescript'])
      expect(names).not.toContain(name);
    expect(folders).toEqual(new Set(['services/audit', 'libs/contracts', 'libs/service-kit']));
  });

  test('name lines of the sources in stack traces, and the packages', async () => {
    const assembled = await run(process.execPath, ['deploy/docker/assemble.mjs', 'audit', folder]);
    expect(assembled).toMatchObject({ code: 0, output: '' });
    // Every listen of the program fails.
    const fail =
      "import net from 'node:net'; net.Server.prototype.listen = () => { throw new Error('no port'); };";
    const preload = `data:text/javascript,${encodeURIComponent(fail)}`;
    const [, ...args] = image.cmd;
    const program = [...args.slice(0, -1), join(folder, args.at(-1)!)];
    const env = serviceEnvironment(testEnvironment(), 'audit') as Record<string, string>;
    const started = await run(process.execPath, ['--import', preload, ...program], env);
    expect(started.output).toMatch(/libs\/service-kit\/src\/process\/admin-server\.ts:\d+:\d+/);
  });
});

test('secrets and local build output are excluded from the build context', () => {
  const [first, ...rules] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  expect(first).toBe('*');
  for (const rule of ['**/node_modules', '**/dist', '**/.env*', '**/.waymark']) expect(rules).toContain(rule);
  const copied = readStages(text)[0]!.steps.flatMap((step) => step.copy?.sources ?? []);
  for (const source of copied) expect(rules).toContain(`!${source}`);
});

test('the build of the docs imports only files that the Dockerfile copies', () => {
  const copied = readStages(text)[0]!.steps.flatMap((step) => step.copy?.sources ?? []);
  const imported = new Set([join(root, 'apps/docs/src/build.ts')]);
  for (const file of imported) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}).* from '(\..*)';$/gm))
      imported.add(join(dirname(file), name!));
  }
  const names = [...imported].map((file) => relative(root, file));
  expect(names).toContain('apps/docs/src/packages/build-packages.ts');
  const isCopied = (name: string) => copied.some((source) => `${name}/`.startsWith(`${source}/`));
  expect(names.filter((name) => !isCopied(name))).toEqual([]);
});
