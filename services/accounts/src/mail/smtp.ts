import type { MailConfig } from '../config.ts';
import type { RenderedMail } from './render.ts';

export interface Message extends RenderedMail {
  /** Part of the Message-ID: a mail that is sent again after a crash has the same one. */
  id: string;
  to: string;
}

/** Why a mail was not sent, without the server's text, which may contain the address. */
export class MailError extends Error {
  /** Whether the server refuses this mail for good; otherwise a later attempt may succeed. */
  readonly isRefusal: boolean;
  /** Whether the cause is this mail's recipient or content, and not the server. */
  readonly isOfMail: boolean;

  constructor({ code = 'unknown', command = '', responseCode }: SmtpFailure) {
    super([code, command, responseCode].filter(Boolean).join(' '));
    // An address that the library itself refuses to send.
    const isInvalid = command === 'API' && (code === 'EENVELOPE' || code === 'EMESSAGE');
    const isAnswered = responseCode !== undefined && ['RCPT TO', 'DATA'].includes(command);
    this.isOfMail = isInvalid || isAnswered;
    this.isRefusal = isInvalid || (isAnswered && responseCode >= PERMANENT);
  }
}

interface SmtpFailure {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** The replies of SMTP from 500 on are permanent (RFC 5321, 4.2.1). */
const PERMANENT = 500;
const STEP_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/** Returns a function that hands a message to the mail server. It throws MailError. */
export function smtpSender({ smtpUrl, from }: MailConfig) {
  const [, address, domain] = /([^<\s]+@([^>]+))>?$/.exec(from)!;
  let opened: ReturnType<typeof open> | undefined;

  async function open() {
    // Loaded with the first mail: it takes 20 MB.
    const { createTransport } = await import('nodemailer');
    const { protocol, hostname, port, username, password } = new URL(smtpUrl);
    const secure = protocol === 'smtps:';
    const auth = username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      requireTLS: !secure,
    };
    return createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (secure ? 465 : 587),
      secure,
      ...auth,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      dnsTimeout: STEP_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  return async ({
    id,
    to,
    subject,
    text,
    html,
    fromName,
    thread,
    unsubscribeUrl,
  }: Message): Promise<void> => {
    opened ??= open();
    const transport = await opened;
    // No mail has this id: all those of a record are answers to it.
    const root = `<thread.${thread}@${domain}>`;
    const message = {
      messageId: `<${id}@${domain}>`,
      ...(thread && { inReplyTo: root, references: root }),
      from: fromName ? { name: `${fromName} (Waymark)`, address: address! } : from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      // RFC 3834: no vacation replies.
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    };
    await transport.sendMail(message).catch((error: unknown) => {
      throw new MailError(error as SmtpFailure);
    });
  };
}
