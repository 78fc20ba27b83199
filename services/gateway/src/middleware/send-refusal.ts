import { toApiError } from '@waymark/service-kit/http';
import type { Logger } from '@waymark/service-kit/process';
import { ClientGone } from '../http/hold-place.ts';
import { sendError } from '../http/respond.ts';
import { bucketOf, type RateLimit } from '../limits/rate-limit.ts';
import type { GatewayResponse } from '../request-state.ts';

/** Sends the error that a middleware has thrown as the error body of the API. */
export function sendRefusal({ rateLimit, log }: { rateLimit: RateLimit; log: Logger }) {
  async function refuse(response: GatewayResponse, error: unknown): Promise<void> {
    const { locals } = response;
    if (error instanceof ClientGone) return void response.destroy();
    let refusal = toApiError(error);
    const isOutage = refusal.status >= 500 && refusal.code !== 'NOT_IMPLEMENTED';
    if (isOutage) {
      const level = refusal.code === 'INTERNAL_ERROR' ? 'error' : 'debug';
      log[level]({ err: error, request_id: locals.requestId }, 'request failed');
    }
    // An uncharged refusal is charged to the address, unless it is an outage.
    if (!locals.limit && !isOutage) {
      await rateLimit.address(response, bucketOf(response)).catch((limited: unknown) => {
        refusal = toApiError(limited);
      });
    }
    locals.limit ??= rateLimit.uncharged(response);
    sendError(response, refusal);
  }

  return (error: unknown, response: GatewayResponse): void => {
    refuse(response, error).catch((failure: unknown) => {
      log.error({ err: failure, request_id: response.locals.requestId }, 'refusal failed');
      response.destroy();
    });
  };
}
