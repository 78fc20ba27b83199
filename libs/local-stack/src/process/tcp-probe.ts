import { connect } from 'node:net';

const TIMEOUT_MS = 2_000;

type ProbeOptions = {
  /** Default 127.0.0.1. */
  host?: string;
  port: number;
  /** Text to send after connecting. */
  send?: string;
  /** The expected start of the answer; without it, a connection is enough. */
  expect?: string;
  /** Default 2,000. */
  timeoutMs?: number;
};

/** Reports whether a server accepts a connection and begins its answer as expected in time. */
export function probe({
  host = '127.0.0.1',
  port,
  send = '',
  expect = '',
  timeoutMs = TIMEOUT_MS,
}: ProbeOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    let answer = '';
    const settle = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.setEncoding('utf8');
    socket.once('connect', () => {
      socket.write(send);
      if (expect === '') settle(true);
    });
    socket.on('data', (text: string) => {
      answer += text;
      if (answer.length >= expect.length) settle(answer.startsWith(expect));
    });
    for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => settle(false));
  });
}
