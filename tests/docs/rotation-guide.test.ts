import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { testFolder } from '@waymark/testing';

const guide = readFileSync(join(findRepositoryRoot(), 'docs/operating/rotating-secrets.md'), 'utf8');
const commands = /```sh\n(step\(\) [\s\S]*?)```/.exec(guide)![1]!;
const PATCH = '[{"op":"test"}]';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

function program(name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}`);
  chmodSync(join(folder, name), 0o755);
}

/** Runs the guide's commands with a kubectl that fails at `failing`, and returns the calls that succeeded. */
async function follow(failing: string, exec = `echo '${PATCH}'`): Promise<{ code: number; done: string[] }> {
  const log = join(folder, 'done');
  program('sleep', `echo "sleep $1" >> ${log}`);
  // kubectl -n waymark <command> ...
  program(
    'kubectl',
    `case "$3" in
      exec) shift 6; what="$*" ;;
      patch) what="patch $(cat)" ;;
      *) what="$3 $4" ;;
    esac
    echo "$what" >> ${log}
    case "$what" in
      "${failing}"*) exit 1 ;;
      secrets*) ${exec} ;;
    esac`,
  );
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const code = await new Promise<number>((resolve) => {
    execFile('sh', ['-c', commands], { env }, (error) => resolve(Number(error?.code ?? 0)));
  });
  return { code, done: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] };
}

describe('the commands of the guide that rotate a secret', () => {
  const step = (name: string) => [
    `secrets ${name} IDENTITY_PRIVATE_KEYS --patch`,
    `patch ${PATCH}`,
    'rollout restart',
    'rollout status',
    'sleep 60',
  ];

  it('wait for a rollout after each step', async () => {
    const done = ['add', 'promote', 'retire'].flatMap(step);
    expect(await follow('nothing')).toEqual({ code: 0, done });
  });

  it.each([
    ['secrets', 1],
    ['patch', 2],
    ['rollout restart', 3],
    ['rollout status', 4],
  ])('stop when %s fails', async (failing, count) => {
    expect(await follow(failing)).toEqual({ code: 1, done: step('add').slice(0, count) });
  });

  it('store nothing when the command printed nothing', async () => {
    const { code, done } = await follow('nothing', 'true');
    expect(code).not.toBe(0);
    expect(done.filter((line) => line.startsWith('patch [') || line.startsWith('rollout'))).toEqual([]);
  });
});
