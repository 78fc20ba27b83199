import { ApiError, type Operation } from '@waymark/contracts';
import { createAdmission } from '@waymark/service-kit/jobs';
import type { Metrics } from '@waymark/service-kit/process';

/** Bodies that are arriving at this process, and the memory for them. */
const UPLOADS = 512;
const UPLOAD_BYTES = 64 * 1024 ** 2;
const SMALL_BYTES = 1024 ** 2;

/** The least progress of a large body in each period: any current line carries more in half a minute. */
const PERIOD_BYTES_MIN = 65_536;

export type Uploads = ReturnType<typeof createUploads>;

/** Bounds arriving bodies in number and memory. Requests to services have bounds of their own. */
export function createUploads(metrics: Pick<Metrics, 'admission'>) {
  return {
    places: createAdmission({ ...metrics.admission('uploads'), what: 'uploads', total: UPLOADS }),
    bytes: createAdmission({
      ...metrics.admission('upload_bytes'),
      what: 'memory for uploads',
      total: UPLOAD_BYTES,
      small: SMALL_BYTES,
    }),
  };
}

/** Whether the gateway streams the body of an operation instead of receiving it whole: a file to import. */
export const isStreamed = ({ bodyContentTypes }: Operation) => bodyContentTypes !== undefined;

/**
 * Starts a timer that calls `end` with REQUEST_TIMEOUT when a period brings too little of a body, and at the
 * end of the last period.
 */
export function slowBodyTimer(
  size: () => number,
  { periodMs, periodsMax, end }: { periodMs: number; periodsMax: number; end: (error: ApiError) => void },
): NodeJS.Timeout {
  let periods = 0;
  let sizeBefore = 0;
  return setInterval(() => {
    periods += 1;
    const isSlow = size() - sizeBefore < PERIOD_BYTES_MIN;
    sizeBefore = size();
    if (isSlow || periods >= periodsMax) end(new ApiError('REQUEST_TIMEOUT'));
  }, periodMs);
}
