import type { CallInternal } from '@waymark/service-kit/http';
import { periodicTask } from '@waymark/service-kit/jobs';
import type { Logger } from '@waymark/service-kit/process';

export type KeyUse = ReturnType<typeof keyUse>;

const FLUSH_MS = 10_000;
const USES_MAX = 10_000;

/** Reports to accounts, in batches, when keys were last used. The next use replaces a lost report. */
export function keyUse({ call, now, log }: { call: CallInternal; now: () => number; log: Logger }) {
  let uses = new Map<string, number>();

  async function flush(): Promise<void> {
    const batch = [...uses].map(([key_id, atMs]) => ({ key_id, at: new Date(atMs).toISOString() }));
    uses = new Map();
    for (let i = 0; i < batch.length; i += USES_MAX) {
      await call('reportKeyUse', { body: { uses: batch.slice(i, i + USES_MAX) } });
    }
  }

  const flushing = periodicTask({
    everyMs: FLUSH_MS,
    run: flush,
    onError: (error) => log.debug({ err: error }, 'last use of keys not reported'),
  });
  flushing.start();
  return {
    note: (keyId: string) => void uses.set(keyId, now()),
    async stop(): Promise<void> {
      await flushing.trigger();
      await flushing.stop();
    },
  };
}
