import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { acquireGo, findRepositoryRoot, offlineGo } from '@waymark/local-stack';
import { testFolder } from '@waymark/testing';
import { buildPackages } from '../../apps/docs/src/packages/build-packages.ts';
import { acquirePython } from '../../dev/sdks/python/python-command.ts';
import { installSystemPackage } from '../../libs/local-stack/src/acquire/system-package.ts';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { programOf } from '../support/documented-code.ts';
import { joinProduct } from '../support/join-product.ts';
import { expectQuickstart, quickstartBlocks } from '../support/quickstart.ts';

const product = joinProduct();

/** An address at which nobody answers. */
const NOWHERE = 'http://127.0.0.1:9';

interface Language {
  /** The file of the program, and the language of its blocks. Commands are pasted instead. */
  program?: [file: string, language: string];
  /** What keeps the package managers off the network, and off the folders of this machine. */
  prepare(folder: string): Promise<Record<string, string>>;
}
const npm = async (folder: string) => ({
  npm_config_registry: NOWHERE,
  npm_config_fetch_retries: '0',
  npm_config_cache: join(folder, '.npm'),
  npm_config_prefix: join(folder, 'global'),
});
const languages: Record<string, Language> = {
  TypeScript: { program: ['quickstart.mts', 'ts'], prepare: npm },
  Python: {
    program: ['quickstart.py', 'python'],
    async prepare() {
      await runCommand('python3', ['-c', 'import ensurepip']).catch(() =>
        installSystemPackage('python3-venv', console.error),
      );
      // The packages that the wheel needs are of the index, whose hashes requirements.txt has.
      const { env } = await acquirePython(join(findRepositoryRoot(), 'sdks/python'), console.error);
      return { PIP_NO_INDEX: '1', PYTHONPATH: env['PYTHONPATH']!.split(':')[0]! };
    },
  },
  Go: {
    program: ['main.go', 'go'],
    prepare: async () => ({ ...offlineGo(), PATH: dirname(await acquireGo(console.error)) }),
  },
  CLI: { prepare: npm },
};

/** TypeScript refuses it where it finds types for modules only, or no types at all. */
const COMMON_JS = `import { createWaymark, type Schemas } from '@waymark/client';
export const make = (body: Schemas['DecisionCreate']) => createWaymark().decisions.create(body);
// @ts-expect-error The title is missing.
export const refused = () => createWaymark().decisions.create({});
`;

async function compileForCommonJs(folder: string): Promise<void> {
  await writeFile(join(folder, 'commonjs.cts'), COMMON_JS);
  const packages = join(findRepositoryRoot(), 'node_modules');
  const args = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'node16'];
  const types = ['--types', 'node', '--typeRoots', join(packages, '@types')];
  const compiler = join(packages, 'typescript/bin/tsc');
  await runCommand(process.execPath, [compiler, ...args, ...types, 'commonjs.cts'], {}, folder);
}

it('another build of the packages is equal byte for byte', async () => {
  const folder = testFolder();
  await buildPackages(findRepositoryRoot(), folder);
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
  expect(sums).toBe(await (await fetch(`${product.url}/sdks/SHA256SUMS`)).text());
});

it.each(Object.keys(languages))(
  'the quickstart, pasted into an empty folder, works without a registry with %s',
  async (label) => {
    const { program, prepare } = languages[label]!;
    const owner = await product.workspace();
    const folder = testFolder();
    const env = await prepare(folder);
    if (program) {
      const [file, language] = program;
      await writeFile(join(folder, file), programOf(quickstartBlocks, language, label));
    }
    const commands = ['', label].map((each) => programOf(quickstartBlocks, 'sh', each)).join('\n');
    const pasted = commands.replaceAll('http://localhost:8080', product.url).replace('wmk_…', owner.key);
    const folders = [env['PATH'], join(folder, 'global/bin'), dirname(process.execPath)];
    const PATH = [...folders, process.env['PATH']].filter(Boolean).join(delimiter);
    const output = await runCommand('bash', ['-euc', pasted], { ...env, PATH }, folder);
    await expectQuickstart(output, product, owner);
    if (label === 'TypeScript') await compileForCommonJs(folder);
  },
);
