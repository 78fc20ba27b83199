import { createAdmission } from '../../jobs/admission.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { tenantsOf } from './tenants.ts';

/** Pages that all exports of a service read at once in a process. */
const PAGES_AT_ONCE = 2;

export type LimitPages = ReturnType<typeof exportPages>;

/**
 * Returns a function that yields the same pages, of which few are made at once, so that many exports slow no
 * other request. A page counts until it is made, not while a client reads it.
 */
export function exportPages(metrics: Pick<Metrics, 'admission'>) {
  const made = createAdmission({
    ...metrics.admission('export_pages'),
    what: 'pages of exports',
    total: PAGES_AT_ONCE,
    small: 1,
  });

  return async function* limitPages<T>(
    ctx: Pick<RequestContext, 'principal' | 'clientAddress' | 'deadlineMs' | 'gone'>,
    pages: AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const tenants = tenantsOf(ctx.principal, ctx.clientAddress);
    const gone = ctx.gone();
    /** The first page is needed for the head of the response. Later ones follow while the client reads. */
    let untilMs = ctx.deadlineMs;
    const iterator = pages[Symbol.asyncIterator]();
    try {
      for (;;) {
        const leave = await made.wait(tenants, untilMs, { gone });
        untilMs = Number.POSITIVE_INFINITY;
        // Making a page may compute and never wait, so other requests are served before the next one.
        const { done, value } = await iterator.next().finally(() => setImmediate(leave));
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  };
}
