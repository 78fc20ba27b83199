import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@waymark/contracts';
import { createLogger } from '@waymark/service-kit/process';
import { Registry } from 'prom-client';
import { createGatewayMetrics } from '../exchange/gateway-metrics.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { ClientGone, UpstreamFailure } from './upstream-failure.ts';

const log = createLogger('gateway', 'silent');
const down = () => Promise.reject(new UpstreamFailure('reset', 'down'));
const late = () => Promise.reject(new UpstreamFailure('timeout', 'late'));
const up = () => Promise.resolve();

/** A circuit that has just opened, and its clock. */
async function opened() {
  const clock = { ms: 0 };
  const registry = new Registry();
  const metrics = createGatewayMetrics(registry);
  const tested = circuitBreaker({ service: 'decisions', metrics, log, now: () => clock.ms });
  for (let i = 0; i < 5; i += 1) await expectUnavailable(tested.run(true, down));
  const gauge = async () => (await registry.getSingleMetric('waymark_circuit_open')!.get()).values[0]!.value;
  return { ...tested, clock, gauge };
}

async function expectUnavailable(running: Promise<void>): Promise<void> {
  await expect(running).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
}

/** A running trial, and how to end it. */
function trial({ run }: Awaited<ReturnType<typeof opened>>) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let wasTrial = false;
  const running = run(true, (isTrial) => {
    wasTrial = isTrial;
    return promise;
  });
  expect(wasTrial).toBe(true);
  return { running, resolve, reject };
}

describe('an open circuit', () => {
  it('refuses for two seconds, then lets one request through at a time', async () => {
    const open = await opened();
    open.clock.ms = 1_999;
    await expectUnavailable(open.run(true, up));
    expect(open.check).toThrow(ApiError);
    open.clock.ms = 2_000;
    expect(open.check).not.toThrow();
    const { running, resolve } = trial(open);
    await expectUnavailable(open.run(true, up));
    resolve();
    await running;
    await open.run(false, up);
  });

  it('stays open for two more seconds after a trial that failed', async () => {
    const open = await opened();
    open.clock.ms = 2_000;
    await expectUnavailable(open.run(true, down));
    open.clock.ms = 3_999;
    await expectUnavailable(open.run(true, up));
    open.clock.ms = 4_000;
    await open.run(true, up);
  });

  it('leaves the trial to the next request if the client ended it', async () => {
    for (const fault of [
      new ClientGone(),
      new ApiError('REQUEST_TIMEOUT'),
      new ApiError('PAYLOAD_TOO_LARGE'),
    ]) {
      const open = await opened();
      open.clock.ms = 2_000;
      const { running, reject } = trial(open);
      reject(fault);
      await expect(running).rejects.toBe(fault);
      // The circuit was neither closed nor opened again, so the next request is a trial at once.
      await expectUnavailable(open.run(false, up));
      const next = trial(open);
      next.resolve();
      await next.running;
      await open.run(false, up);
    }
  });

  it('does not use a request as a trial if the request does not allow it', async () => {
    const open = await opened();
    open.clock.ms = 2_000;
    await expectUnavailable(open.run(false, up));
    await open.run(true, up);
  });
});

describe('the gauge of a circuit', () => {
  it('shows that requests are refused, and is 0 for a service without requests', async () => {
    const { run, check, clock, gauge } = await opened();
    expect(await gauge()).toBe(1);
    clock.ms = 1_000;
    expect(check).toThrow(ApiError);
    clock.ms = 30_999;
    expect(await gauge()).toBe(1);
    clock.ms = 31_000;
    expect(await gauge()).toBe(0);
    await expectUnavailable(run(true, down));
    expect(await gauge()).toBe(1);
    clock.ms = 90_000;
    expect(await gauge()).toBe(0);
    // This request may not be a trial, so it is refused.
    await expectUnavailable(run(false, up));
    expect(await gauge()).toBe(1);
    await run(true, up);
    expect(await gauge()).toBe(0);
  });

  it('shows an outage with few requests as one outage', async () => {
    const { run, clock, gauge } = await opened();
    for (let i = 0; i < 10; i += 1) {
      clock.ms += 29_000;
      expect(await gauge()).toBe(1);
      await expectUnavailable(run(true, down));
    }
  });
});

describe('a closed circuit', () => {
  it('counts failures in a row, except those that a client caused', async () => {
    const { run, clock } = await opened();
    clock.ms = 2_000;
    await run(true, up);
    for (let i = 0; i < 20; i += 1) {
      if (i % 5 === 4) await run(true, up);
      else await expectUnavailable(run(true, down));
    }
    for (let i = 0; i < 20; i += 1)
      await expect(run(true, () => Promise.reject(new ClientGone()))).rejects.toBeInstanceOf(ClientGone);
    await run(true, up);
  });

  it('does not count a timeout while later requests are answered', async () => {
    const { run, clock } = await opened();
    clock.ms = 2_000;
    await run(true, up);
    const timeouts = Array.from({ length: 20 }, () => Promise.withResolvers<void>());
    const waiting = timeouts.map(({ promise }) => run(true, () => promise.then(late)));
    clock.ms = 2_001;
    await run(true, up);
    for (const { resolve } of timeouts) resolve();
    for (const one of waiting) await expectUnavailable(one);
    await run(true, up);
    clock.ms = 2_002;
    for (let i = 0; i < 5; i += 1) await expectUnavailable(run(true, late));
    await expectUnavailable(run(true, up));
  });
});
