import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort, ProcessFailed, startProcess } from '../src/index.ts';
import { temporaryFolders } from './temporary.ts';

const temporary = temporaryFolders();
const server = `
  const { createServer } = require('node:http');
  createServer((request, response) => response.end(process.env.GREETING)).listen(+process.env.PORT, '127.0.0.1');
`;
const node = (script: string) => ({ name: 'example', command: process.execPath, args: ['-e', script] });

describe('startProcess', () => {
  it('waits for its URL to answer, and restarts with the same environment', async () => {
    const port = await freePort();
    const readyUrl = `http://127.0.0.1:${port}/`;
    const example = await startProcess({
      ...node(server),
      env: { PORT: String(port), GREETING: 'hello' },
      readyUrl,
    });
    const { pid } = example;
    await example.restart();
    expect(example.pid).not.toBe(pid);
    expect(await (await fetch(readyUrl)).text()).toBe('hello');
    expect(await example.stop()).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('waits for a line, with and without a log file', async () => {
    const script = "console.log('up'); setInterval(() => undefined, 1000)";
    const logFile = join(temporary('logs'), 'example.log');
    for (const more of [{}, { logFile }]) {
      const example = await startProcess({ ...node(script), readyLine: 'up', ...more });
      expect(await example.lastLines()).toBe('up');
      await example.kill();
      expect(await example.exited).toEqual({ code: null, signal: 'SIGKILL' });
    }
    expect(readFileSync(logFile, 'utf8')).toBe('up\n');
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
  });

  it('ignores the lines of an earlier run in the log file', async () => {
    const logFile = join(temporary('logs'), 'earlier.log');
    const up = "console.log('up'); setInterval(() => undefined, 1000)";
    await (await startProcess({ ...node(up), readyLine: 'up', logFile })).stop();
    await expect(startProcess({ ...node('1'), readyLine: 'up', logFile })).rejects.toThrow(ProcessFailed);
  });

  it('fails when another program answers on its port', async () => {
    const port = await freePort();
    const other = createServer((_request, response) => response.end()).listen(port, '127.0.0.1');
    await once(other, 'listening');
    const starting = startProcess({
      ...node('setInterval(() => 1, 1000)'),
      readyUrl: `http://127.0.0.1:${port}/`,
    });
    await expect(starting).rejects.toThrow(`example: port ${port} of 127.0.0.1 is taken`);
    other.close();
  });

  it('fails at once with the last lines when the process ends', async () => {
    const script = "console.error('the port is a teapot'); process.exit(3)";
    const starting = startProcess({ ...node(script), readyUrl: 'http://127.0.0.1:1/' });
    await expect(starting).rejects.toThrow('example ended (code 3) at once. It said:\nthe port is a teapot');
  });

  it('fails at once when the command does not exist', async () => {
    const starting = startProcess({ name: 'example', command: '/nowhere/at-all', args: [], readyLine: 'up' });
    await expect(starting).rejects.toThrow('/nowhere/at-all');
  });

  it('ends a process that prints nothing and is not ready', async () => {
    const starting = startProcess({
      ...node('setInterval(() => 1, 1000)'),
      readyLine: 'up',
      stalledMs: 50,
    });
    await expect(starting).rejects.toThrow('example was not ready, and has printed nothing for 0.05 s');
  });

  it('kills a process that ignores SIGTERM', async () => {
    const script = "process.on('SIGTERM', () => 1); setInterval(() => 1, 1000); console.log('up')";
    const stubborn = await startProcess({ ...node(script), readyLine: 'up' });
    expect(await stubborn.stop(50)).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
