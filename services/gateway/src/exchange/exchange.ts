import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation, Principal } from '@waymark/contracts';
import type { Span } from '@waymark/service-kit/process';
import type { LimitDecision } from './rate-limit-headers.ts';

/** A key's, a session's or nobody's: what a client of the public interface can be. */
export type ClientPrincipal = Exclude<Principal, { type: 'service' }>;

/** A request on its way through the gateway, with what each step has found out so far. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly clientAddress: string;
  /** What every answer carries. */
  readonly standingHeaders: readonly string[];
  readonly startedAtMs: number;
  /** Whether the request announces a body. */
  readonly sendsBody: boolean;
  /** The path of the URL, as sent, and what stands behind its "?". */
  path: string;
  search: string;
  operation: Operation | null;
  params: Record<string, string>;
  query: Record<string, string>;
  principal: ClientPrincipal | null;
  /** The workspace that the query names, in lower case. */
  workspaceId: string | null;
  /** The bucket that was charged; its state goes into the answer's headers. */
  limit: LimitDecision | null;
  /** The request's own, where it is traced. */
  span: Span | null;
}
