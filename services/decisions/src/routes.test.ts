import { expect, it, jest } from '@jest/globals';
import type { RequestContext } from '@waymark/service-kit/http';
import type { DecisionsContext } from './context.ts';
import { createRoutes } from './routes.ts';

const { signal } = new AbortController();
const ctx = { access: { workspaceId: 'w' }, principal: {}, gone: () => signal } as unknown as RequestContext;

/** A read that is not limited would find no store. */
const limited = { name: 'limited' };
const scan = jest.fn(() => Promise.reject(limited));
const shared = (_: string, work: (over: AbortSignal) => Promise<unknown>) => work(signal);
const service = { scan, counts: shared, facets: shared, calibrations: shared, now: Date.now };
const database = { collection: () => ({}) };

const handlers = createRoutes({
  ...service,
  database,
  store: { list: jest.fn() },
} as unknown as DecisionsContext);
type Handler = (call: object) => Promise<unknown>;

it.each([
  ['listDecisions', { text: 'a' }],
  ['getDecisionFacets', {}],
  ['getMetrics', {}],
  ['getMetricsHistory', { weeks: 104 }],
  ['getCalibration', {}],
] as const)('limits %s, which reads the whole workspace', async (id, query) => {
  const handler = handlers[id] as unknown as Handler;
  await expect((async () => handler({ ctx, query }))()).rejects.toBe(limited);
});
