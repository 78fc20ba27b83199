import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { testFolder } from '@waymark/testing';

const root = findRepositoryRoot();

export interface CodeBlock {
  language: string;
  /** The name of its tab; empty for a block that holds for every language. */
  label: string;
  text: string;
}

/** Returns the fenced blocks of a Markdown file of the repository. */
export function codeBlocks(file: string): CodeBlock[] {
  const fences = readFileSync(join(root, file), 'utf8').matchAll(/^```(\S+)(?: (\S+))?\n(.*?)^```$/gms);
  return [...fences].map(([, language = '', label = '', text = '']) => ({ language, label, text }));
}

/** Returns the samples of the reference in a language, which the build of the docs writes. */
export const referenceSamples = (label: string): string[] =>
  globSync('apps/docs/dist/docs/reference/*.md', { cwd: root })
    .flatMap(codeBlocks)
    .filter((block) => block.label === label)
    .map(({ text }) => text);

/** Returns the program that the blocks of a language, or of a tab, make up together. */
export const programOf = (blocks: readonly CodeBlock[], language: string, label = '') =>
  blocks
    .filter((block) => block.language === language && block.label === label)
    .map(({ text }) => text)
    .join('\n');

/** A folder in which a reader runs code: with the command `waymark`, and with packages installed. */
export function createReadersFolder() {
  const folder = testFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const main = join(root, 'apps/cli/src/main.ts');
  writeFileSync(
    join(bin, 'waymark'),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=x-source --no-warnings "${main}" "$@"\n`,
  );
  chmodSync(join(bin, 'waymark'), 0o755);
  return {
    folder,
    /** Runs a program there to its end. Fails with its output unless it exits with 0. */
    run(command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
      const PATH = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...process.env, PATH, XDG_CONFIG_HOME: folder, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
      return new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) =>
          code === 0 ? resolve(output) : reject(new Error(`${code}: ${output}`)),
        );
      });
    },
  };
}
