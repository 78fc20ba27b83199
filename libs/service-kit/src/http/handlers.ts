import type { IncomingMessage } from 'node:http';
import type {
  InputOf,
  Operation,
  OperationId,
  OperationIdOf,
  Operations,
  ResultOf,
  ServiceName,
} from '@waymark/contracts';
import type { RequestContext } from './request-context.ts';

/** A body that a handler streams, as bytes or text. A failure destroys the connection. */
export interface StreamedBody {
  stream: AsyncIterable<string | Uint8Array>;
  fileName?: string;
}

/** A JSON response that a handler has serialized itself. */
export class JsonText {
  readonly body: Buffer;

  constructor(json: string) {
    this.body = Buffer.from(json);
  }
}

/** The record of an operation that has created it, where it could also have changed one. */
export class Created<T> {
  readonly record: T;

  constructor(record: T) {
    this.record = record;
  }
}

type Result<T> = T extends { response: { contentType: string } }
  ? StreamedBody | Buffer
  :
      | ResultOf<T & Operation>
      | JsonText
      | (T extends { response: { orCreated: true } } ? Created<ResultOf<T & Operation>> : never);

export type Call<Id extends OperationId> = InputOf<Operations[Id]> & {
  ctx: RequestContext;
  /** The raw request, for the few operations that stream their body. */
  request: IncomingMessage;
};
export type Handler<Id extends OperationId> = (
  call: Call<Id>,
) => Promise<Result<Operations[Id]>> | Result<Operations[Id]> | Nothing<Result<Operations[Id]>>;

/** A handler without a response body may also be an async function that returns nothing. */
type Nothing<T> = undefined extends T ? Promise<void> : never;

/** A handler for each operation of a service; a missing one is a compile error. */
export type Handlers<S extends ServiceName> = { [Id in OperationIdOf<S>]: Handler<Id> };
