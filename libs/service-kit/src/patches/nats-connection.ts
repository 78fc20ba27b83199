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
 * Works around faults of the library (3.4.0): no reason is reported while it retries (nats-io/nats.js#292);
 * TLS to an IP address expects a certificate for "localhost"; a refused attempt counts as a lost connection;
 * after this machine's clock was set back, no attempt follows until it has caught up.
 */
class ReportingProtocol extends ProtocolHandler {
  readonly #report: (error: Error) => void;

  constructor(options: ConnectionOptions, connection: NatsConnectionImpl, report: (error: Error) => void) {
    super(options, connection);
    this.#report = report;
    const { servers } = this;
    const select = servers.selectServer.bind(servers);
    servers.selectServer = () => {
      const server = select();
      if (server && server.lastConnect > Date.now()) server.lastConnect = 0;
      return server;
    };
  }

  override async dial(server: Server): Promise<void> {
    if (this.options.tls) Object.assign(this.options.tls, { host: server.tlsName || server.hostname });
    try {
      await super.dial(server);
    } catch (error) {
      this.#report(error as Error);
      throw error;
    }
  }

  /** Ignores refused attempts, each of which would later cause an extra "reconnect". */
  override async disconnected(error?: Error): Promise<void> {
    if (this.connectPromise === null) await super.disconnected(error);
  }
}

/**
 * Connects as the library's `connect` does, reports why each attempt fails, and can be closed before one
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
