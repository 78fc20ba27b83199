import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { services } from '@waymark/contracts';
import { testFolder } from '@waymark/testing';
import { parse, parseAllDocuments } from 'yaml';
import { type Call, paste } from './support/paste.ts';
import { chart, prepareTools, render, root, template } from './support/render-chart.ts';
import { unknownCommand } from './support/unknown-command.ts';

/**
 * Runs every block that operators paste, with stand-ins for the programs that change a cluster, and checks
 * each call: values against the chart, commands and options of waymark, files, and names of objects.
 */
const guides = readdirSync(join(root, 'docs/operating')).map((name) => `docs/operating/${name}`);
const pages = ['docs/operating.md', ...guides, 'docs/releasing.md', 'deploy/helm/waymark/README.md'];
beforeAll(prepareTools);
const folder = testFolder();

function blocksIn(language: string) {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms');
  return pages.flatMap((page) => {
    const found = [...readFileSync(join(root, page), 'utf8').matchAll(fence)];
    return found.map(([, indent = '', block = ''], i) => ({
      name: `${page}, ${language} ${i + 1}`,
      block: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }));
  });
}

/** Commands in sentences, without what follows a pipe. A name in angle brackets is the reader's. */
const inline = pages.flatMap((page) =>
  [
    ...readFileSync(join(root, page), 'utf8').matchAll(/`((?:kubectl|helm|docker compose) [^\s`]+ [^`…]+)`/g),
  ].map(([, text = '']) => ({
    name: `${page}: ${text}`,
    block: text.split('|')[0]!.replaceAll(/<[^>]+>/g, 'name'),
  })),
);

/** Options of helm's commands that `helm template` lacks, with the number of their words. */
const NOT_OF_TEMPLATE: Readonly<Record<string, number>> = {
  '-n': 2,
  '--timeout': 2,
  '--wait': 1,
  '--create-namespace': 1,
  '--reset-then-reuse-values': 1,
};

function withoutOptions(args: readonly string[], options: Readonly<Record<string, number>>): string[] {
  const [first, ...rest] = args;
  if (first === undefined) return [];
  const words = options[first] ?? 0;
  return words > 0 ? withoutOptions(args.slice(words), options) : [first, ...withoutOptions(rest, options)];
}

async function checkHelm([verb = '', ...args]: readonly string[]): Promise<void> {
  const [release, folder = '', ...rest] = withoutOptions(args, NOT_OF_TEMPLATE);
  if (verb === 'package') return expect(release).toBe('deploy/helm/waymark');
  expect([verb, release]).toEqual([expect.stringMatching(/^(install|upgrade|rollback|test)$/), 'waymark']);
  if (verb === 'test' || verb === 'rollback') return;
  expect(['.', 'deploy/helm/waymark']).toContain(folder);
  // An upgrade keeps the values of the installation. Files without a folder are the operator's own.
  const own = join(root, 'tests/deploy/values/minimal.yaml');
  const known = verb === 'upgrade' ? ['-f', own] : [];
  const current = folder === '.' ? chart : root;
  const fileAt = (path: string) => (path.includes('/') ? join(current, path) : own);
  const values = rest.map((word, i) => (rest[i - 1] === '-f' ? fileAt(word) : word));
  expect(await template([...known, ...values])).toMatchObject({ code: 0 });
}

async function checkKubectl(args: readonly string[]): Promise<void> {
  if (!args.includes('namespace')) expect(args.slice(0, 2)).toEqual(['-n', 'waymark']);
  const manifests = [...(await render('everything-on')), ...(await render('single'))];
  const deployments = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata }) => metadata.name);
  const named = args.flatMap((word) => /^deploy(?:ment)?\/(.+)/.exec(word)?.[1] ?? []);
  expect(named.filter((name) => !deployments.includes(name))).toEqual([]);
  const command = args.indexOf('--') + 1;
  if (args[command] === 'waymark') checkWaymark(args.slice(command + 1));
}

/** No words: a sentence says how every command begins. */
function checkWaymark(words: readonly string[]): void {
  if (words.length > 0) expect(unknownCommand(words)).toBeNull();
}

function checkDocker([verb = '', ...args]: readonly string[]): void {
  const compose = parse(readFileSync(join(root, 'deploy/compose/compose.yaml'), 'utf8'), { merge: true });
  if (verb === 'save') {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const names = [...Object.keys(services), 'cli'];
    expect(args).toEqual(names.map((name) => `registry.internal/waymark/${name}:${version}`));
  } else if (verb === 'volume') {
    const volumes = Object.keys(compose.volumes).map((name) => `${compose.name}_${name}`);
    expect(args.slice(2).filter((name) => !volumes.includes(name))).toEqual([]);
  } else {
    expect(['buildx', 'compose']).toContain(verb);
    const file = args[args.indexOf('-f') + 1]!;
    expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    if (!args.includes('run')) return;
    const service = args.indexOf('tools');
    expect(Object.keys(compose.services)).toContain(args[service]);
    checkWaymark(args.slice(service + 1));
  }
}

function checkNpm([verb, script]: readonly string[]): void {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect([verb, Object.keys(scripts)]).toEqual(['run', expect.arrayContaining([script])]);
}

async function check([program, ...args]: Call): Promise<void> {
  if (program === 'helm') return checkHelm(args);
  if (program === 'kubectl') return checkKubectl(args);
  if (program === 'waymark') return checkWaymark(args);
  if (program === 'docker') return checkDocker(args);
  if (program === 'npm') return checkNpm(args);
}

/** Where the page leaves out the reader's own. */
const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const values = blocksIn('yaml');

test('the pages have blocks to paste', () => {
  expect(blocksIn('sh').length).toBeGreaterThan(30);
  expect(inline.length).toBeGreaterThan(15);
  expect(values.length).toBeGreaterThan(10);
});

test.each([...blocksIn('sh'), ...inline])('$name runs', async ({ block }) => {
  for (const call of await paste(block)) await check(call);
});

test.each(values)('$name is accepted by the chart, or an object of Kubernetes', async ({ name, block }) => {
  const file = join(folder, `${name.replaceAll(/\W/g, '-')}.yaml`);
  for (const document of parseAllDocuments(block)) {
    expect(document.errors).toEqual([]);
    const content = document.toJS();
    // Rules of prometheus-adapter are not values of the chart.
    if ('rules' in content) continue;
    if ('apiVersion' in content) {
      expect(content).toMatchObject({ kind: expect.any(String), metadata: { name: expect.any(String) } });
      continue;
    }
    writeFileSync(file, block.replace('age1…', RECIPIENT));
    const known = ['-f', join(root, 'tests/deploy/values/minimal.yaml')];
    expect(await template([...known, '-f', file])).toMatchObject({ code: 0 });
  }
});
