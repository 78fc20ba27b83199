export type FailureKind = 'connect' | 'reset' | 'timeout';

/** A service could not be reached or did not answer; its circuit counts these and nothing else. */
export class UpstreamFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UpstreamFailure';
    this.kind = kind;
  }
}

/** The client went away; nobody is left to answer. */
export class ClientGone extends Error {}
