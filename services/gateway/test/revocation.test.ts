import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { startStand } from './stand.ts';

describe('a revoked key', () => {
  it('is refused by every gateway that had it cached', async () => {
    const stand = await startStand({ gateways: 2, env: { LIMIT_SCALE: '1000' } });
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
        const revokedAt = performance.now();
        await eventually(async () => {
          const statuses = await ask();
          expect(statuses).toEqual([401, 401]);
        }, 250);
        expect(performance.now() - revokedAt).toBeLessThan(250);
        expect(await ask()).toEqual([401, 401]);
      }
    } finally {
      await stand.stop();
    }
  });

  it('is refused although its look-up began before and answered after', async () => {
    const stand = await startStand({ env: { LIMIT_SCALE: '1000' } });
    try {
      const warm = stand.accounts.createKey();
      expect((await stand.call('GET', '/whoami', warm)).status).toBe(200);
      const key = stand.accounts.createKey();
      const release = stand.accounts.hold(key);
      const before = stand.accounts.lookUps();
      const answer = stand.call('GET', '/whoami', key);
      await eventually(() => stand.accounts.lookUps() > before);
      await stand.accounts.revoke(key);
      // The announcement is to be heard before the old answer comes: that of another key, made after it, shows it.
      await stand.accounts.revoke(warm);
      await eventually(async () => (await stand.call('GET', '/whoami', warm)).status === 401);
      release();
      expect((await answer).status).toBe(401);
    } finally {
      await stand.stop();
    }
  });
});
