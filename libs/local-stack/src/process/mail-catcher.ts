import { createServer, type Socket } from 'node:net';
import type { SMTPServer } from 'smtp-server';

export interface CaughtMail {
  messageId: string;
  at: Date;
  from: string;
  /** The sender as people see it. */
  fromName: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The headers by their names in lower case. */
  headers: Record<string, string>;
}

export interface MailCatcher {
  /** The value for SMTP_URL. */
  url: string;
  /** The newest mails, the newest last. */
  mails: CaughtMail[];
  stop(): Promise<void>;
}

const KEPT_MAX = 200;

/** Accepts mail on loopback and keeps it in memory. `refuse` returns an SMTP code for a recipient. */
export async function startMailCatcher(
  options: { port?: number; refuse?: (to: string) => number | undefined } = {},
): Promise<MailCatcher> {
  const { port = 0, refuse = () => undefined } = options;
  const mails: CaughtMail[] = [];
  const sockets = new Set<Socket>();
  let opened: Promise<SMTPServer> | undefined;

  // Loaded with the first mail, because most who run Waymark on their machine send none.
  async function open(): Promise<SMTPServer> {
    const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([
      import('smtp-server'),
      import('postal-mime'),
    ]);
    return new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      onRcptTo({ address }, _, callback) {
        const responseCode = refuse(address);
        callback(responseCode ? Object.assign(new Error('refused'), { responseCode }) : null);
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          const {
            messageId = '',
            subject = '',
            text = '',
            html = '',
            from,
            headers: fields,
          } = await PostalMime.parse(Buffer.concat(chunks));
          const to = session.envelope.rcptTo.map(({ address }) => address).join(', ');
          const sender = { from: from?.address ?? '', fromName: from?.name ?? '' };
          const headers = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
          mails.push({ messageId, at: new Date(), ...sender, to, subject, text, html, headers });
          if (mails.length > KEPT_MAX) mails.shift();
          callback();
        });
      },
    }).on('error', () => undefined);
  }

  const server = createServer(async (socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    opened ??= open();
    (await opened).connect(socket);
  });
  await new Promise<void>((listening, failed) =>
    server.once('error', failed).listen(port, '127.0.0.1', listening),
  );
  return {
    url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`,
    mails,
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
