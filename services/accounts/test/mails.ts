import { afterAll } from '@jest/globals';
import { type CaughtMail, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { type Options, useAccounts } from './accounts.ts';

export const PUBLIC_URL = 'http://waymark.test';

/** The environment of a service that sends its mail to `url`. */
export const mailEnvironment = (url: string) => ({
  PUBLIC_URL,
  SMTP_URL: url,
  MAIL_FROM: 'Waymark <waymark@example.com>',
  MAIL_SWEEP_MS: '50',
});

/** A mail server, and what it got. */
export interface Mails extends AsyncDisposable {
  url: string;
  all: CaughtMail[];
  /** The code with which the server refuses a recipient. */
  refused: Map<string, number>;
  to(email: string): CaughtMail[];
  /** Returns the first mail to an address, once it has arrived. */
  first(email: string): Promise<CaughtMail>;
  /** Returns the token in the link of the first mail to an address that has one. */
  tokenTo(email: string): Promise<string>;
}

export async function startMails(options: { port?: number } = {}): Promise<Mails> {
  const refused = new Map<string, number>();
  const { url, mails: all, stop } = await startMailCatcher({ ...options, refuse: (to) => refused.get(to) });
  const to = (email: string) => all.filter((mail) => mail.to === email);
  const found = <T>(find: () => T | undefined) => eventually(() => find() ?? false) as Promise<T>;
  return {
    url,
    all,
    refused,
    to,
    first: (email) => found(() => to(email)[0]),
    tokenTo: (email) => found(() => to(email).flatMap(({ text }) => /#(\S+)/.exec(text)?.[1] ?? [])[0]),
    [Symbol.asyncDispose]: stop,
  };
}

/** `useAccounts` with a mail server. */
export async function useAccountsWithMail({ env, ...options }: Options = {}) {
  const mails = await startMails();
  const accounts = await useAccounts({ ...options, env: { ...mailEnvironment(mails.url), ...env } });
  afterAll(async () => {
    await mails[Symbol.asyncDispose]();
  });
  return { accounts, mails };
}
