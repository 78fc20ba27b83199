import { createAdmission } from '../jobs/admission.ts';
import type { Metrics } from '../process/metrics.ts';
import type { RequestContext } from './request-context.ts';
import { tenantsOf } from './tenants.ts';

/** Pages that all exports of a process read at once. */
const PAGES_AT_ONCE = 2;

export type ExportTurns = ReturnType<typeof exportTurns>;

/**
 * Returns a function that yields the same pages and fetches each in a turn, so that many exports slow no
 * other request. No turn is held while a client reads slowly.
 */
export function exportTurns(metrics: Pick<Metrics, 'admission'>) {
  const turns = createAdmission({
    ...metrics.admission('export_pages'),
    what: 'pages of exports',
    total: PAGES_AT_ONCE,
    small: 1,
  });

  return async function* inTurns<T>(
    { principal, clientAddress, gone }: Pick<RequestContext, 'principal' | 'clientAddress' | 'gone'>,
    pages: AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const tenants = tenantsOf(principal, clientAddress);
    const signal = gone();
    const iterator = pages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const end = await turns.wait(tenants, Number.POSITIVE_INFINITY, { gone: signal });
        // Making a page may take no more than processor time: other requests are served before the next one.
        const { done, value } = await iterator.next().finally(() => setImmediate(end));
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  };
}
