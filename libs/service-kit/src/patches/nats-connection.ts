import {
  type ConnectionOptions,
  type NatsConnection,
  NatsConnectionImpl,
  ProtocolHandler,
  type Server,
  setTransportFactory,
} from '@nats-io/transport-node';
import { NodeTransport, nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js';

/**
 * The library (3.4.0) reports no reason while it retries for ever,
 * https://github.com/nats-io/nats.js/issues/292; checks a certificate for "localhost" where the server is
 * named by its address; and reports a lost connection for each refused attempt. No issues are known for the
 * last two: connect over TLS to an IP address, or with a wrong password, to see them.
 */
class ReportingProtocol extends ProtocolHandler {
  readonly #report: (error: Error) => void;

  constructor(options: ConnectionOptions, connection: NatsConnectionImpl, report: (error: Error) => void) {
    super(options, connection);
    this.#report = report;
  }

  override async dial(server: Server): Promise<void> {
    // Without it the library looks for "localhost" in the certificate of a server that is named by its
    // address.
    if (this.options.tls) Object.assign(this.options.tls, { host: server.tlsName || server.hostname });
    try {
      await super.dial(server);
    } catch (error) {
      this.#report(error as Error);
      throw error;
    }
  }

  /** A refused attempt is not a lost connection; each would later cause a "reconnect" of its own. */
  override async disconnected(error?: Error): Promise<void> {
    if (this.connectPromise === null) await super.disconnected(error);
  }
}

/**
 * Connects as the library's `connect` does, but reports why each attempt fails, and can be closed before one
 * succeeds. `opened` resolves with the first success, and rejects when the connection is closed before.
 */
export function openNatsConnection(
  options: ConnectionOptions,
  report: (error: Error) => void,
): { connection: NatsConnection; opened: Promise<void>; abandon(): Promise<void> } {
  setTransportFactory({ factory: () => new NodeTransport(), dnsResolveFn: nodeResolveHost });
  const connection: NatsConnectionImpl = Reflect.construct(NatsConnectionImpl, [options]);
  const protocol = new ReportingProtocol(connection.options, connection, report);
  connection.protocol = protocol;
  return {
    connection: connection as NatsConnection,
    opened: protocol.dialLoop(),
    async abandon() {
      // Before the first attempt there is no transport to close.
      await connection.close().catch(() => undefined);
      protocol.transport?.discard();
    },
  };
}
