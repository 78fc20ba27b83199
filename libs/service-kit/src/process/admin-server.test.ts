import { expect, it } from '@jest/globals';
import { Gauge, Registry } from 'prom-client';
import { startAdminServer } from './admin-server.ts';

it('metrics arrive without those that fail or hang', async () => {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({ name: 'sound', help: 'known at once', registers }).set(1);
  new Gauge({
    name: 'hanging',
    help: 'of a store that hangs',
    registers,
    collect: () => new Promise(() => {}),
  });
  const collect = () => Promise.reject(new Error('the store is down'));
  new Gauge({ name: 'failing', help: 'of a store that is down', registers, collect });
  const admin = await startAdminServer({ host: '127.0.0.1', port: 0, registry, metricLimitMs: 50 });
  try {
    const response = await fetch(`http://127.0.0.1:${admin.port}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('# HELP sound known at once\n# TYPE sound gauge\nsound 1\n');
  } finally {
    await admin.close();
  }
});
