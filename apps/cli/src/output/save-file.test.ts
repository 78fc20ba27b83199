import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { saveFile } from './save-file.ts';
import { saveStream } from './save-stream.ts';

const folder = testFolder();

async function* failing() {
  yield Buffer.from('half');
  throw new CommandError('broken');
}

test('a file is replaced when all of it is there, and keeps its mode, and a symbolic link stays one', async () => {
  const [file, link] = ['file', 'link'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(file, 'old', { mode: 0o600 });
  symlinkSync(file, link);
  await expect(saveFile(failing(), link)).rejects.toThrow('broken');
  expect(readFileSync(file, 'utf8')).toBe('old');
  await saveFile([Buffer.from('new')], link);
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['file', 'link']);
});

test('a pipe or a device is written to, and not replaced', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', `mkfifo '${pipe}'`]);
  const [text] = await Promise.all([readFile(pipe, 'utf8'), saveFile([Buffer.from('piped')], pipe)]);
  expect(text).toBe('piped');
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test('what cannot be written is named', async () => {
  for (const file of [folder, join(folder, 'missing', 'file')]) {
    await expect(saveFile([Buffer.from('x')], file)).rejects.toThrow(/cannot be written/);
  }
});

test('an answer that cannot be written is not waited for', async () => {
  let isEnded = false;
  const body = new ReadableStream({
    cancel() {
      isEnded = true;
    },
  });
  const target = { file: join(folder, 'missing', 'file'), baseUrl: '' };
  const terminal = { columns: undefined, showsProgress: false } as unknown as Terminal;
  await expect(saveStream(new Response(body), target, terminal)).rejects.toThrow(/cannot be written/);
  expect(isEnded).toBe(true);
});
