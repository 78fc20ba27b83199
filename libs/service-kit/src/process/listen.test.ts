import http from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { startAdminServer } from '../process/admin-server.ts';
import { listen } from './http-server.ts';

test('without a host, a process listens on every IPv4 and IPv6 address of the machine', async () => {
  const server = http.createServer((_, response) => response.end());
  const { port } = new URL(await listen(server, undefined, 0));
  const admin = await startAdminServer({ host: undefined, port: 0, registry: new Registry() });
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const loopback = own.filter(({ internal }) => internal);
  expect(loopback.length).toBeGreaterThan(0);
  for (const { address, family } of loopback) {
    const host = family === 'IPv6' ? `[${address}]` : address;
    expect((await fetch(`http://${host}:${port}`)).status).toBe(200);
    expect((await fetch(`http://${host}:${admin.port}/livez`)).status).toBe(200);
  }
  await admin.close();
  server.close();
  server.closeAllConnections();
});
