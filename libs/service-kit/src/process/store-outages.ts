import type { Logger } from './logger.ts';

const OUTAGE_MS = 30_000;
const titles = { mongodb: 'MongoDB', nats: 'NATS', redis: 'Redis' };

export type Store = keyof typeof titles;

/**
 * Logs a store that has been away for 30 seconds, and its return. Shorter interruptions, such as the election
 * of a primary, end by themselves. Without Redis, the product serves all requests: that is a warning.
 */
export function storeOutages(log: Logger, ticksMs: () => number = () => performance.now()) {
  const stores = new Map<Store, { isUp: () => boolean; upAtMs: number; isLogged: boolean }>();
  return {
    watch(store: Store, isUp: () => boolean): void {
      stores.set(store, { isUp, upAtMs: ticksMs(), isLogged: false });
    },
    /** Call it every few seconds. */
    check(): void {
      for (const [store, watched] of stores) {
        if (watched.isUp()) {
          if (watched.isLogged) log.info(`${titles[store]} is back after an outage`);
          Object.assign(watched, { upAtMs: ticksMs(), isLogged: false });
        } else if (!watched.isLogged && ticksMs() - watched.upAtMs >= OUTAGE_MS) {
          log[store === 'redis' ? 'warn' : 'error'](`${titles[store]} has been away for 30 seconds`);
          watched.isLogged = true;
        }
      }
    },
  };
}
