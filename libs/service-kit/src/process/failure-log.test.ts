import { beforeEach, expect, it } from '@jest/globals';
import { failureLog } from './failure-log.ts';
import { createLogger } from './logger.ts';

const lines: Record<string, unknown>[] = [];
const log = createLogger('search', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
let nowMs = 0;
const failures = () => failureLog(log, 'the sweep failed', { ticksMs: () => nowMs });
const logged = () => lines.splice(0).map(({ level, msg, times }) => ({ level, msg, times }));

beforeEach(() => void lines.splice(0));

it('logs when a failure begins, once a minute with a count meanwhile, and when it ends', () => {
  const { onError, onSuccess } = failures();
  onSuccess();
  for (let n = 0; n < 1_000; n += 1) onError(new Error(`event ${n}`));
  expect(logged()).toEqual([{ level: 'warn', msg: 'the sweep failed' }]);
  nowMs += 60_000;
  onError(new Error('again'));
  expect(logged()).toEqual([{ level: 'warn', msg: 'the sweep failed', times: 1_000 }]);
  onError(new Error('the last one'));
  onSuccess();
  onSuccess();
  expect(logged()).toEqual([{ level: 'info', msg: 'over: the sweep failed', times: 1 }]);
});

it('logs each cause, and the error with its fields', () => {
  const { onError } = failures();
  onError(new TypeError('one'), { event_id: '7' });
  onError(new RangeError('two'));
  onError(new TypeError('three'));
  expect(lines).toMatchObject([
    { event_id: '7', err: { type: 'TypeError', message: 'one' } },
    { err: { type: 'RangeError' } },
  ]);
});

it('logs what fails now and then no more than twice a minute', () => {
  const { onError, onSuccess } = failures();
  for (let n = 0; n < 59; n += 1) {
    onError(new Error('now and then'));
    onSuccess();
    nowMs += 1_000;
  }
  expect(logged()).toHaveLength(2);
});
