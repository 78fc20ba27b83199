import { bodyBytesMax, headers, invalid, limits, operationList, parseQuery } from '@waymark/contracts';
import { bodyTooLarge, validate } from '@waymark/service-kit/http';
import { z } from 'zod';
import { batchSizeOf } from '../limits/rate-limit.ts';
import type { Middleware } from '../request-state.ts';

const UUID = z.regexes.uuid();
/** The schemas of path parameters that are not UUIDs, by operation. */
const textParameters = new Map(
  operationList.flatMap(({ id, params }) => (params ? [[id, z.object(params)] as const] : [])),
);

/** Checks a request before its body arrives: the announced length, the path parameters, the query. */
export const validateRequest: Middleware = (request, response, next) => {
  const { locals } = response;
  const operation = locals.operation!;
  if (operation.batch && batchSizeOf(request.headers) === null)
    throw invalid(headers.batchSize, `is required: the number of operations, 1 to ${limits.batchOperations}`);
  const limitBytes = bodyBytesMax(operation);
  if (operation.method !== 'GET' && Number(request.headers['content-length'] ?? 0) > limitBytes)
    throw bodyTooLarge(limitBytes);
  const texts = textParameters.get(operation.id);
  if (texts) validate(texts, locals.params);
  for (const [name, value] of Object.entries(locals.params)) {
    if (!operation.params?.[name] && !UUID.test(value)) throw invalid(name, 'is not a UUID');
  }
  if (locals.search !== '') locals.query = parseQuery(locals.search, operation.query);
  next();
};
