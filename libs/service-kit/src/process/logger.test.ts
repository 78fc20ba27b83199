import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './logger.ts';

describe('createLogger', () => {
  it('omits the URL in an error, because it may hold a password', () => {
    const lines: string[] = [];
    const output = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const log = createLogger('test', 'info', output);
    try {
      new URL('nats://user:canary@a host');
    } catch (error) {
      log.error({ err: error }, 'NATS refused the connection');
    }
    expect(lines.join('')).toContain('Invalid URL');
    expect(lines.join('')).not.toContain('canary');
  });

  it('logs where an error and its causes come from, but not the data that they carry', () => {
    const lines: { err: Record<string, unknown> }[] = [];
    const log = createLogger('test', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    const refused = () => Object.assign(new Error('refused'), { code: 121, errInfo: { given: 'canary' } });
    const cause = refused();
    log.error({ err: refused() }, 'failed');
    log.error({ err: Object.assign(new Error('wrapped', { cause }), { writeErrors: [cause] }) }, 'failed');
    log.error({ err: new AggregateError([refused(), refused()], 'several') }, 'failed');
    expect(JSON.stringify(lines)).not.toContain('canary');
    const known = { type: 'Error', message: 'refused', code: 121, stack: expect.stringContaining('at ') };
    expect(lines.map(({ err }) => err)).toEqual([
      known,
      { type: 'Error', message: 'wrapped: refused', stack: expect.stringContaining('caused by: ') },
      expect.objectContaining({ message: 'several', aggregateErrors: [known, known] }),
    ]);
  });

  it('gives each line its own time', () => {
    const times: string[] = [];
    const log = createLogger('test', 'info', { write: (line) => times.push(JSON.parse(line).time) });
    const given = [1_700_000_000_000, 1_700_000_000_000, 1_700_000_000_001, 1_600_000_000_000];
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      for (const ms of given) {
        jest.setSystemTime(ms);
        log.info('a line');
      }
    } finally {
      jest.useRealTimers();
    }
    expect(times).toEqual(given.map((ms) => new Date(ms).toISOString()));
  });

  it.each([
    ['ends', ''],
    ['exits', 'process.exit(3)'],
    ['crashes', 'throw new Error("on purpose")'],
  ])('loses no line when the process %s', (_, ending) => {
    const script = `
      const { createLogger } = await import(${JSON.stringify(new URL('logger.ts', import.meta.url).href)});
      const log = createLogger('test', 'info');
      for (let i = 0; i < 100; i += 1) log.info({ i }, 'a line');
      ${ending}`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).i)).toEqual(Array.from({ length: 100 }, (__, i) => i));
  });
});
