import { storeNames } from '../faulty-product.ts';
import type { Fault } from './fault.ts';

/** The stores' machine: everything that was not synced is lost, and all three stores end. */
export const powerCut: Fault = {
  name: 'power cut',
  targets: storeNames,
  needs: 'disk',
  async begin({ disk, supervisor }) {
    await supervisor.pause();
    disk?.cutPower();
  },
  async end({ disk, stores, supervisor }) {
    await Promise.all(storeNames.map((name) => stores[name].kill('SIGKILL')));
    disk?.remount();
    supervisor.resume();
  },
};

export const fullDisk: Fault = {
  name: 'full disk',
  targets: ['mongo', 'nats'],
  needs: 'disk',
  begin: ({ disk }) => disk?.fill(),
  end: ({ disk }) => disk?.free(),
};
