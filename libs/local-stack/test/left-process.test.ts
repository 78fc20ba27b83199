import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort, isRunning, startNats, startProcess } from '../src/index.ts';
import { recordOwner } from '../src/process/data-directory.ts';
import { acquire, temporaryFolders } from './temporary.ts';

const temporary = temporaryFolders();

async function natsBinary(): Promise<string> {
  const binary = await acquire('nats');
  if (typeof binary !== 'string') throw new Error('needs a nats-server on this machine, not in a container');
  return binary;
}

describe('a process that a killed start left', () => {
  it('is ended by the next start on the same folder and port', async () => {
    const options = { binary: await natsBinary(), dataDir: temporary('killed'), port: await freePort() };
    const starter = await startProcess({
      name: 'starter',
      command: process.execPath,
      args: [
        '--conditions=x-source',
        join(import.meta.dirname, 'start-nats-and-stay.ts'),
        JSON.stringify(options),
      ],
      readyLine: 'started',
    });
    await starter.kill('SIGKILL');
    const nats = await startNats(options);
    expect(nats.port).toBe(options.port);
    await nats.stop();
  });

  it('is ended when it outlives its parent', async () => {
    const binary = await natsBinary();
    const dataDir = temporary('orphan');
    const port = await freePort();
    // The shell ends at once, which orphans the server.
    const command = '"$0" --addr 127.0.0.1 --port "$1" --log "$2/left.log" > /dev/null 2>&1 & echo $!';
    const shell = spawn('sh', ['-c', command, binary, String(port), dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(shell.stdout, 'data');
    await once(shell, 'close');
    const left = Number(line);
    recordOwner(dataDir, left, binary);
    expect(isRunning(left)).toBe(true);
    const nats = await startNats({ binary, dataDir, port });
    expect(nats.pid).not.toBe(left);
    await nats.stop();
  });

  it('is not confused with another process of the same pid', async () => {
    const binary = await natsBinary();
    const dataDir = temporary('reused');
    recordOwner(dataDir, process.pid, binary);
    await (await startNats({ binary, dataDir })).stop();
    expect(isRunning(process.pid)).toBe(true);
  });
});
