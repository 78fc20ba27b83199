import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { acquireGo, findRepositoryRoot, offlineGo } from '@waymark/local-stack';
import { rolldown } from 'rolldown';
import { apiDocument } from '../../../dev/sdks/description.ts';
import {
  findPython,
  installRequirements,
  inTemporaryFolder,
} from '../../../libs/local-stack/src/acquire/pip.ts';

const ROOT = findRepositoryRoot();
const SOURCES = join(ROOT, 'tests/sdks/generators');
const DOCUMENT = 'openapi.json';

/** Generates a client of openapi.json in a folder, compiles sixteen calls, and returns their program. */
export type Generator = (folder: string) => Promise<{ command: string; args: string[]; env?: object }>;

/** Each fails when the generator warns or a call does not compile. */
export const generators: Record<string, Generator> = {
  'openapi-typescript': async (folder) => {
    const node = await nodePrograms(folder);
    refuseWarnings(await node.run('openapi-typescript', [DOCUMENT, '--output', 'schema.ts']));
    return node.compile('openapi-fetch.ts');
  },
  '@hey-api/openapi-ts': async (folder) => {
    const node = await nodePrograms(folder);
    refuseWarnings(
      await node.run('openapi-ts', ['--input', DOCUMENT, '--output', 'client', '--no-log-file']),
    );
    return node.compile('hey-api.ts');
  },
  orval: async (folder) => {
    const node = await nodePrograms(folder);
    await copySources(folder, ['orval.config.cjs']);
    refuseWarnings(await node.run('orval', ['--config', 'orval.config.cjs']));
    return node.compile('orval.ts');
  },
  'openapi-python-client': async (folder) => {
    const requirements = readFileSync(join(SOURCES, 'requirements.txt'), 'utf8');
    const packages = await installRequirements(
      `generators-${digestOf(requirements)}`,
      requirements,
      console.error,
    );
    const env = { PYTHONPATH: packages, PATH: `${join(packages, 'bin')}:${process.env['PATH']}` };
    const command = await findPython(console.error);
    await copySources(folder, ['calls.py', 'openapi-python-client.yaml']);
    const generate = [
      '-m',
      'openapi_python_client',
      'generate',
      '--path',
      DOCUMENT,
      '--output-path',
      'client',
    ];
    const strictly = ['--meta', 'none', '--config', 'openapi-python-client.yaml', '--fail-on-warning'];
    await run(folder, command, [...generate, ...strictly], env);
    // The generator's own files are not for mypy --strict.
    const mypy = ['-m', 'mypy', '--strict', '--follow-imports=silent', 'calls.py'];
    await run(folder, command, mypy, env);
    return { command, args: ['calls.py'], env };
  },
  'oapi-codegen': async (folder) => {
    const go = await acquireGo(console.error);
    // Its modules are downloaded once, and compared with go.sum.
    const { GOPROXY: _, ...env } = offlineGo();
    await copySources(folder, ['go.mod', 'go.sum', 'main.go', 'oapi-codegen.yaml'], 'go');
    await mkdir(join(folder, 'client'));
    refuseWarnings(
      await run(folder, go, ['tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', DOCUMENT], env),
    );
    await run(folder, go, ['build', '-o', 'calls', '.'], env);
    for (const wrong of ['Titel: nil', 'Title: 3', 'Outcom: nil']) {
      const program = `package main\n\nimport "example.com/calls/client"\n\nvar _ = client.DecisionCreate{${wrong}}\n`;
      await writeFile(join(folder, 'wrong.go'), program);
      await expect(run(folder, go, ['build', '-o', 'wrong', '.'], env)).rejects.toThrow('wrong.go');
    }
    return { command: join(folder, 'calls'), args: [] };
  },
};

/** Runs a command in a folder and returns all that it prints. @throws Error with it if the command fails. */
async function run(folder: string, command: string, args: string[], env: object = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 2 ** 24 };
  const { stdout, stderr } = await promisify(execFile)(command, args, options).catch((error) => {
    throw new Error(`${command} ${args[0]}: ${error.message}\n${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

function refuseWarnings(output: string): void {
  if (/warn/i.test(output)) throw new Error(output);
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

async function copySources(folder: string, names: string[], from = '.'): Promise<void> {
  await writeFile(join(folder, DOCUMENT), JSON.stringify(apiDocument()));
  for (const name of names) await copyFile(join(SOURCES, from, name), join(folder, name));
}

/** Installs the packages for Node in .waymark, once for each lock file. Returns their folder. */
async function nodePackages(): Promise<string> {
  const names = ['package.json', 'package-lock.json', '.npmrc'];
  const directory = join(ROOT, '.waymark');
  const target = join(directory, `generators-${digestOf(readFileSync(join(SOURCES, names[1]!), 'utf8'))}`);
  if (!existsSync(target)) {
    await inTemporaryFolder(directory, async (folder) => {
      for (const name of names) await copyFile(join(SOURCES, name), join(folder, name));
      await run(folder, 'npm', ['ci']);
      await rename(folder, target);
    });
  }
  return join(target, 'node_modules');
}

/** Runs the packages in a folder with openapi.json. */
async function nodePrograms(folder: string) {
  const packages = await nodePackages();
  await copySources(folder, []);
  symlinkSync(packages, join(folder, 'node_modules'));
  const runPackage = (name: string, args: string[]) => run(folder, join(packages, '.bin', name), args);
  const options = {
    ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true },
    ...{
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
    },
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
  };
  return {
    run: runPackage,
    /** Checks the types of a program with those of its client, and makes it one file. */
    async compile(program: string) {
      await copySources(folder, [program]);
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, files: [program] }),
      );
      await runPackage('tsc', ['--pretty', 'false']);
      const bundle = await rolldown({ input: join(folder, program), platform: 'node', logLevel: 'silent' });
      await bundle.write({ file: join(folder, 'calls.mjs') });
      await bundle.close();
      return { command: process.execPath, args: ['calls.mjs'] };
    },
  };
}
