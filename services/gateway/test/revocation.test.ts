import { describe, expect, it } from '@jest/globals';
import { eventually, streamOf } from '@waymark/testing';
import { startStand } from './stand.ts';

const env = { LIMIT_SCALE: '1000' };
/** Time stands still: what is cached does not age, so that nothing but an announcement takes it away. */
const stoppedAt = Date.now();
const seams = { now: () => stoppedAt };

describe('a revoked key', () => {
  it('is refused by every gateway that had it cached', async () => {
    const stand = await startStand({ gateways: 2, env, seams });
    try {
      for (let round = 0; round < 20; round += 1) {
        const key = stand.accounts.createKey();
        const ask = () =>
          Promise.all(
            stand.gateways.map(
              async (gateway) => (await stand.callAt(gateway, 'GET', '/whoami', key)).status,
            ),
          );
        expect(await ask()).toEqual([200, 200]);
        await stand.accounts.revoke(key);
        await eventually(async () => expect(await ask()).toEqual([401, 401]));
        expect(await ask()).toEqual([401, 401]);
      }
    } finally {
      await stand.stop();
    }
  });

  it.each([
    'no JSON',
    '{"instance":"a","sequence":1,"tags":null}',
    '{"instance":"a","sequence":1,"tags":{"key":"b"}}',
  ])('is refused although the gateway has received an unreadable message before: %s', async (nonsense) => {
    const stand = await startStand({ env, seams });
    try {
      const key = stand.accounts.createKey();
      const ask = async () => (await stand.call('GET', '/whoami', key)).status;
      expect(await ask()).toBe(200);
      const before = stand.accounts.lookUps();
      stand.accounts.runtime.nats.connection()!.publish(streamOf(stand.env).invalidations, nonsense);
      // It may have been an announcement: what was cached is not used any more.
      await eventually(async () => (await ask()) === 200 && stand.accounts.lookUps() > before);
      await stand.accounts.revoke(key);
      await eventually(async () => (await ask()) === 401);
    } finally {
      await stand.stop();
    }
  });

  it('is refused although its look-up began before and answered after', async () => {
    const stand = await startStand({ env, seams });
    try {
      const warm = stand.accounts.createKey();
      expect((await stand.call('GET', '/whoami', warm)).status).toBe(200);
      const key = stand.accounts.createKey();
      const release = stand.accounts.hold(key);
      const before = stand.accounts.lookUps();
      const answer = stand.call('GET', '/whoami', key);
      await eventually(() => stand.accounts.lookUps() > before);
      await stand.accounts.revoke(key);
      // The announcement is to be heard before the old answer comes: that of another key, made after it,
      // shows it.
      await stand.accounts.revoke(warm);
      await eventually(async () => (await stand.call('GET', '/whoami', warm)).status === 401);
      release();
      expect((await answer).status).toBe(401);
    } finally {
      await stand.stop();
    }
  });
});
