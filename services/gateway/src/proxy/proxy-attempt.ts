import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, internalHeaders, type Operation } from '@waymark/contracts';
import type { Logger, ServiceTls } from '@waymark/service-kit/process';
import type { Exchange } from '../exchange/exchange.ts';
import type { GatewayMetrics } from '../exchange/gateway-metrics.ts';
import { isReceived } from './request-body.ts';
import { sendReceived } from './send-received.ts';
import { sendStreaming } from './send-streaming.ts';
import { ClientGone, UpstreamFailure } from './upstream-failure.ts';
import { type UpstreamTimeouts, upstreamTimeouts } from './upstream-timeouts.ts';
import type { Replica, Upstreams } from './upstreams.ts';

/** A request on its way to one replica of a service. */
export interface ProxyAttempt {
  exchange: Exchange;
  operation: Operation;
  replica: Replica;
  answerTimeoutMs: number;
}

export interface SenderOptions {
  service: string;
  /** The limit for a whole body, and for each 64 KiB of a body that may stream. */
  bodyTimeoutMs: number;
  metrics: GatewayMetrics;
  log: Logger;
  /** Connects to replicas whose URL begins with https. */
  tls: Pick<ServiceTls, 'connect'>;
}

/** What both ways to send an attempt share. */
export interface AttemptReport {
  timeouts: UpstreamTimeouts;
  /** Called with the headers of an answer. */
  answered(attempt: ProxyAttempt, headers: IncomingHttpHeaders): void;
  /** Records that an answer ended before it was whole. */
  brokenOff(attempt: ProxyAttempt, error: Error): void;
  /** The error that ends an attempt without an answer. */
  failureOf(attempt: ProxyAttempt, error: Error): Error;
}

export function attemptSender(replicas: Upstreams, options: SenderOptions) {
  const { service, bodyTimeoutMs, metrics, log } = options;
  const timeouts = upstreamTimeouts();
  const report: AttemptReport = {
    timeouts,
    answered({ replica }, headers) {
      if (headers[internalHeaders.draining] !== undefined) replicas.avoid(replica);
    },
    brokenOff({ exchange }, error) {
      log.warn({ err: error, request_id: exchange.requestId, upstream: service }, 'answer broken off');
      metrics.upstreamErrors.inc({ upstream: service, kind: 'broken_off' });
    },
    failureOf({ exchange }, error) {
      if (exchange.response.destroyed) return new ClientGone();
      const isOurs = error instanceof UpstreamFailure || error instanceof ApiError;
      return isOurs ? error : new UpstreamFailure('reset', error.message, error);
    },
  };
  const connect = replicas.isSecure ? options.tls.connect : null;
  const received = sendReceived(report, connect);
  const streaming = sendStreaming(report, connect, bodyTimeoutMs);

  return {
    /** Resolves once answered; throws UpstreamFailure, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, ClientGone. */
    send(attempt: ProxyAttempt): Promise<void> {
      const sender = isReceived(attempt.exchange, attempt.operation) ? received : streaming;
      return sender.send(attempt);
    },
    close(): void {
      timeouts.stop();
      received.close();
      streaming.close();
    },
  };
}
