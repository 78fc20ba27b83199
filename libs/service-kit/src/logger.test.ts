import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';

describe('createLogger', () => {
  it('leaves out what an error says of the URL of a store, which may hold a password', () => {
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
});
