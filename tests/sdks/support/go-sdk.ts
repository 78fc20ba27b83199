import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { acquireGo, findRepositoryRoot, offlineGo } from '@waymark/local-stack';
import type { SdkProgram } from './run-sdk.ts';

const FOLDER = join(findRepositoryRoot(), 'sdks/go');
/** Go compiles its standard library from source: this makes it quick, without debug information. */
const NOT_OPTIMIZED = '-gcflags=all=-N -l -dwarf=false';

/** Runs a command and resolves with its output. Throws with the output if it fails. */
async function run(command: string, args: string[], cwd = FOLDER): Promise<string> {
  const options = { cwd, env: { ...process.env, ...offlineGo() } };
  const { stdout } = await promisify(execFile)(command, args, options).catch((error) => {
    throw new Error(`${command} ${args[0]}: ${error.message}\n${error.stdout}`);
  });
  return stdout;
}

/** Runs Go in the folder of the SDK. */
export async function runGo(...args: string[]): Promise<string> {
  return run(await acquireGo(console.error), args);
}

/** Returns the files that gofmt would change. */
export async function unformattedGo(): Promise<string> {
  const root = (await runGo('env', 'GOROOT')).trim();
  return run(join(root, 'bin', 'gofmt'), ['-l', '.']);
}

/** Runs go vet or go test on the SDK. */
export function checkGo(command: 'vet' | 'test'): Promise<string> {
  const options = command === 'test' ? ['-vet=off', '-count=1'] : [];
  return runGo(command, NOT_OPTIMIZED, ...options, './...');
}

/** Builds the program that runs a scenario. */
export async function prepareGo(): Promise<SdkProgram> {
  const command = join(findRepositoryRoot(), '.waymark', 'bin', 'go-scenario');
  await runGo('build', NOT_OPTIMIZED, '-o', command, './internal/scenario');
  return { command, args: [] };
}

/** Returns the programs in the README of the SDK. */
export function snippetsOfReadme(): string[] {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  return [...readme.matchAll(/```go\n(.*?)```/gs)].map((found) => found[1]!);
}

/** Builds a program as a module of its own in a new folder. Returns the path of the binary. */
export async function buildSnippet(source: string, folder: string): Promise<string> {
  const [, module = ''] = /^module (\S+)$/m.exec(readFileSync(join(FOLDER, 'go.mod'), 'utf8'))!;
  const required = `require ${module} v0.0.0\n\nreplace ${module} => ${FOLDER}`;
  await mkdir(folder);
  await writeFile(join(folder, 'go.mod'), `module example.com/snippet\n\ngo 1.25\n\n${required}\n`);
  await writeFile(join(folder, 'main.go'), source);
  await run(await acquireGo(console.error), ['build', NOT_OPTIMIZED, '-o', 'snippet', '.'], folder);
  return join(folder, 'snippet');
}
