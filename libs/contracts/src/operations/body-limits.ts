import { limits } from '../limits.ts';
import type { Operation } from './operation.ts';

/** Returns the most bytes of a request body: few for an operation that anyone can call. */
export function bodyBytesMax({ bodyLimitBytes, caller }: Operation): number {
  const isOpen = caller === 'everyone' || caller === 'feed';
  return bodyLimitBytes ?? (isOpen ? limits.unauthenticatedBodyBytes : limits.bodyBytes);
}

/** Returns the most keys and values of a JSON body, at any depth. */
export function bodyValuesMax({ bodyLimitValues = limits.bodyValues }: Operation): number {
  return bodyLimitValues;
}
