import type http from 'node:http';
import net from 'node:net';
import { beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { useStand } from './stand.ts';

const stand = useStand({ env: { LIMIT_SCALE: '1000' } });
let mine: DoubledKey;
let held: http.ServerResponse[];
beforeEach(() => {
  mine = stand.accounts.createKey();
  held = [];
  stand.decisions.seen = [];
  stand.decisions.respond = (_, response) => held.push(response);
});

const get = (id: number) => {
  const path = `/v1/decisions?workspaceId=${mine.principal.workspace_id}`;
  const own = [`X-Api-Key: ${mine.key}`, `X-Request-Id: request-${id}`];
  return `${[`GET ${path} HTTP/1.1`, 'Host: waymark.test', ...own].join('\r\n')}\r\n\r\n`;
};

/** Sends requests over one connection, all at once. */
function send(...requests: string[]) {
  const socket = net.connect(Number(new URL(stand.url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(requests.join(''));
  return {
    socket,
    ids: () => [...text.matchAll(/^X-Request-Id: request-(\d+)/gim)].map(([, id]) => Number(id)),
  };
}

const begun = (count: number) => eventually(() => held.length >= count);
const inFlight = () => stand.metric('waymark_admission_held', 'resource="requests_to_decisions"');

it('begins the requests of a connection one after another', async () => {
  const { socket, ids } = send(get(0), get(1), get(2));
  for (let n = 1; n <= 3; n += 1) {
    await begun(n);
    expect([held.length, await inFlight()]).toEqual([n, 1]);
    held.at(-1)!.end('{}');
  }
  await eventually(() => expect(ids()).toEqual([0, 1, 2]));
  socket.destroy();
});

it.each([2, 10])('begins none of a client that has gone, of %d requests', async (count) => {
  const gone = send(...Array.from({ length: count }, (_, id) => get(id)));
  await begun(1);
  gone.socket.destroy();
  await eventually(async () => expect(await inFlight()).toBe(0));
  const next = send(get(count));
  await begun(2);
  held.at(-1)!.end('{}');
  await eventually(() => expect(next.ids()).toEqual([count]));
  expect(held).toHaveLength(2);
  next.socket.destroy();
});
