import {
  type ConnectionOptions,
  type NatsConnection,
  NatsConnectionImpl,
  ProtocolHandler,
  type Server,
  setTransportFactory,
} from '@nats-io/transport-node';
import { NodeTransport, nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js';

/** The library keeps to itself why its tries fail while it goes on trying, as it is to do for ever. */
class TellingProtocol extends ProtocolHandler {
  readonly #tell: (error: Error) => void;

  constructor(options: ConnectionOptions, connection: NatsConnectionImpl, tell: (error: Error) => void) {
    super(options, connection);
    this.#tell = tell;
  }

  override async dial(server: Server): Promise<void> {
    // For a server that is named by its address the library would look for "localhost" in the certificate.
    if (this.options.tls) Object.assign(this.options.tls, { host: server.tlsName || server.hostname });
    try {
      await super.dial(server);
    } catch (error) {
      this.#tell(error as Error);
      throw error;
    }
  }

  /** A refused try is no connection that was lost: each would say "reconnect" of its own in the end. */
  override async disconnected(error?: Error): Promise<void> {
    if (this.connectPromise === null) await super.disconnected(error);
  }
}

/**
 * As `connect` of the library, but that it tells why each try fails, the first ones too, and can be closed before one succeeds.
 * `opened` resolves with the first success, and rejects when closed before.
 */
export function openNatsConnection(
  options: ConnectionOptions,
  tell: (error: Error) => void,
): { connection: NatsConnection; opened: Promise<void>; abandon(): Promise<void> } {
  setTransportFactory({ factory: () => new NodeTransport(), dnsResolveFn: nodeResolveHost });
  const connection: NatsConnectionImpl = Reflect.construct(NatsConnectionImpl, [options]);
  const protocol = new TellingProtocol(connection.options, connection, tell);
  connection.protocol = protocol;
  return {
    connection: connection as NatsConnection,
    opened: protocol.dialLoop(),
    async abandon() {
      // Before the first try there is no transport that could be closed.
      await connection.close().catch(() => undefined);
      protocol.transport?.discard();
    },
  };
}
