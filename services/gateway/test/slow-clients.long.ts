import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { expectWhole, sendRaw } from './raw-client.ts';
import { startStand } from './stand.ts';

describe('a client that does not read', () => {
  it('loses its connection after the timeout, also when the whole answer waits for it', async () => {
    await using stand = await startStand({ env: { BODY_TIMEOUT_MS: '100' } });
    const { key } = stand.accounts.createKey();
    const open = (path: string, requests: number) => {
      const socket = net.connect(Number(new URL(stand.url).port), '127.0.0.1').pause();
      socket.write(`GET /v1${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`.repeat(requests));
      return socket;
    };
    const whole = open('/openapi.json', 50);
    stand.decisions.respond = (_, response) => response.end('x'.repeat(32 * limits.bodyBytes));
    const streamed = open('/decisions', 1);
    await eventually(() => stand.decisions.aborted === 1);
    let ends = 0;
    for (const socket of [whole, streamed])
      socket.on('error', () => undefined).on('close', () => (ends += 1));
    await eventually(() => {
      // A socket that does not read notices the end only when it writes.
      for (const socket of [whole, streamed]) socket.write('\r\n');
      return ends === 2;
    });
  });
});

describe('a client that does not finish its headers', () => {
  it('is answered with 408 after ten seconds', async () => {
    await using stand = await startStand();
    const startedAtMs = performance.now();
    const answer = await sendRaw(stand.url, 'GET /v1/whoami HTTP/1.1\r\nHost: x\r\n');
    expectWhole(answer, 408, 'REQUEST_TIMEOUT');
    expect(performance.now() - startedAtMs).toBeGreaterThan(9_000);
  });
});
