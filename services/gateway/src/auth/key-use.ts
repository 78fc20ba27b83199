import type { CallInternal } from '@waymark/service-kit/http';
import type { Logger } from '@waymark/service-kit/process';

/** Last-used times of keys, told to accounts in batches; what gets lost on the way is made up by the next use. */
export interface KeyUse {
  note(keyId: string): void;
  stop(): Promise<void>;
}

const FLUSH_MS = 10_000;
const USES_MAX = 10_000;

export function keyUse(options: { call: CallInternal; now: () => number; log: Logger }): KeyUse {
  let uses = new Map<string, number>();

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const batch = [...uses].map(([key_id, atMs]) => ({ key_id, at: new Date(atMs).toISOString() }));
    uses = new Map();
    try {
      for (let i = 0; i < batch.length; i += USES_MAX) {
        await options.call('reportKeyUse', { body: { uses: batch.slice(i, i + USES_MAX) } });
      }
    } catch (error) {
      options.log.debug({ err: error }, 'last-used times not reported');
    }
  }

  const timer = setInterval(flush, FLUSH_MS).unref();
  return {
    note(keyId) {
      uses.set(keyId, options.now());
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
