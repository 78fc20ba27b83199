import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { findRepositoryRoot } from '@waymark/local-stack';
import { type Start, serviceEnvironment, testEnvironment } from '@waymark/testing';
import { waymark } from '../apps/cli/test/run.ts';
import { recordedLog } from './support/recorded-log.ts';

const root = findRepositoryRoot();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

describe('the version in package.json', () => {
  it.each(['libs', 'services', 'apps'])('is the version of every package in %s', (folder) => {
    const packages = readdirSync(join(root, folder)).map((name) => `${folder}/${name}/package.json`);
    const all = packages.map((file) => [file, JSON.parse(read(file)).version]);
    expect(all).toEqual(packages.map((file) => [file, version]));
  });

  it.each([
    ['deploy/helm/waymark/Chart.yaml', /^(?:appVersion|version): (.+)$/gm, 2],
    ['deploy/helm/waymark/Chart.yaml', /^ +image: localhost\/waymark\/\w+:(.+)$/gm, 11],
    ['deploy/compose/compose.yaml', /:\$\{VERSION:-(.+)\}$/gm, 11],
    ['deploy/docker/Dockerfile', /^ARG VERSION=(.+)$/gm, 1],
    ['deploy/docker/docker-bake.hcl', /^variable "VERSION" \{ default = "(.+)" \}$/gm, 1],
    ['docs/operating/install-without-internet.md', /VERSION=(\S+) /g, 1],
    ['sdks/python/src/waymark_sdk/_version.py', /^__version__ = "(.+)"$/gm, 1],
  ])('is the version in %s', (file, pattern, times) => {
    expect([...read(file).matchAll(pattern)].map(([, found]) => found)).toEqual(Array(times).fill(version));
  });

  it('is the one that `waymark --version` prints', async () => {
    expect(await waymark({}, '--version')).toEqual({ code: 0, text: version });
  });

  it.each<[ServiceName, Start]>([
    ['gateway', startGateway],
    ['decisions', startDecisions],
  ])('is in the first log line of %s', async (service, start) => {
    const { log, lines } = recordedLog();
    const running = await start(serviceEnvironment(testEnvironment(), service), { log });
    await running.ready;
    await running.stop();
    const [ready] = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === `${service} is ready`);
    expect(ready).toMatchObject({ version });
  });
});
