import { describe, expect, it } from '@jest/globals';
import { WaymarkError } from '@waymark/client';
import { operations } from '@waymark/contracts';
import { CommandError } from '../failures/command-error.ts';
import { patientSender } from './patient-sender.ts';
import type { Sender } from './send.ts';

const input = { path: {}, query: {}, headers: {} };

function refusing(status: number, code: string, refusals: number) {
  const answer = new Response(null, { status, headers: { 'retry-after': '7' } });
  const cause = new WaymarkError(answer, { error: code });
  let sent = 0;
  async function send() {
    sent += 1;
    if (sent <= refusals) throw new CommandError('refused', { cause });
    return sent;
  }
  const pauses: number[] = [];
  const lines: string[] = [];
  const terminal = { env: {}, out: () => undefined, error: (line: string) => lines.push(line) };
  const patient = patientSender(
    send as unknown as Sender,
    { ...terminal, showsProgress: true },
    undefined,
    async (ms) => pauses.push(ms),
  );
  return { send: () => patient<number>(operations.whoami, input), pauses, lines };
}

describe('patientSender()', () => {
  it('waits as long as the rate limit says, and repeats the request', async () => {
    const { send, pauses, lines } = refusing(429, 'RATE_LIMITED', 2);
    expect(await send()).toBe(3);
    expect(pauses).toEqual([7_000, 7_000]);
    expect(lines).toEqual(Array(2).fill('rate limited: going on in 7 s'));
  });

  it('gives up after ten tries, and at once for another failure', async () => {
    const limited = refusing(429, 'RATE_LIMITED', 100);
    await expect(limited.send()).rejects.toThrow('refused');
    expect(limited.pauses).toHaveLength(9);
    const broken = refusing(503, 'UNAVAILABLE', 100);
    await expect(broken.send()).rejects.toThrow('refused');
    expect(broken.pauses).toEqual([]);
  });

  it('ends when it is interrupted', async () => {
    const interrupted = AbortSignal.abort();
    const cause = new WaymarkError(new Response(null, { status: 429 }), { error: 'RATE_LIMITED' });
    const send = async () => {
      throw new CommandError('refused', { cause });
    };
    const terminal = { env: {}, out: () => undefined, error: () => undefined };
    const patient = patientSender(send, terminal, interrupted);
    await expect(patient(operations.whoami, input)).rejects.toMatchObject({ exitCode: 130 });
  });
});
