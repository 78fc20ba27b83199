/** A service could not be reached or did not answer. The circuit breaker counts only these errors. */
export class UpstreamFailure extends Error {
  readonly kind: 'connect' | 'reset' | 'timeout';

  constructor(kind: UpstreamFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UpstreamFailure';
    this.kind = kind;
  }
}

/** The client has disconnected, so that no answer can be sent. */
export class ClientGone extends Error {}
