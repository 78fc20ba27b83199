import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { nkeys } from '@nats-io/transport-node';
import { acquireBinary, localCertificate, type StoreProcess, startNats } from '@waymark/local-stack';
import { testFolder } from '@waymark/testing';
import { connectNats, type Nats } from '../src/events/nats.ts';
import { openParkedEvents } from '../src/events/parked-events.ts';
import { baseEnvironment, EnvironmentError, readEnvironment } from '../src/process/environment.ts';
import { createLogger } from '../src/process/logger.ts';
import { withTlsFiles } from '../src/process/nats-tls-files.ts';

const { NATS_URL, NATS_CREDS, NATS_CERT_FILE, NATS_KEY_FILE, NATS_CA_FILE } = baseEnvironment('audit');
const RETRY_MS = 10;
const PASSWORD = '1@:/,%ö';

const closing: (() => Promise<unknown>)[] = [];
const directory = testFolder();
const binary = await acquireBinary('nats', () => undefined);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(
  settings: string[],
): Promise<StoreProcess & { log(): string; replace(text: string): void }> {
  const dataDir = mkdtempSync(join(directory, 'server-'));
  // A separate file, which a test may replace.
  writeFileSync(join(dataDir, 'settings.conf'), settings.join('\n'));
  const server = await startNats({ binary, dataDir, settings: ['include "settings.conf"'] });
  closing.push(() => server.kill());
  return Object.assign(server, {
    log: () => readFileSync(join(dataDir, 'server.log'), 'utf8'),
    replace(text: string) {
      writeFileSync(join(dataDir, 'settings.conf'), text);
      process.kill(server.pid, 'SIGHUP');
    },
  });
}

/** Writes a file for a server or a client, and returns its path. */
function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** Connects as a service with this environment would, and collects the log. */
function open(url: string, more: Record<string, string> = {}): { nats: Nats; lines: string[] } {
  const env = readEnvironment(
    { NATS_URL, NATS_CREDS, NATS_CERT_FILE, NATS_KEY_FILE, NATS_CA_FILE },
    { NATS_URL: url, ...more },
  );
  const lines: string[] = [];
  const nats = connectNats({
    servers: withTlsFiles(env.natsUrl, env),
    credentials: env.natsCreds,
    name: 'test',
    log: createLogger('test', 'trace', { write: (line) => void lines.push(line) }),
    refusedRetryMs: RETRY_MS,
  });
  closing.push(() => nats.close());
  return { nats, lines };
}

/** Connects and expects a response from JetStream. */
async function expectUsable(url: string, more: Record<string, string> = {}): Promise<void> {
  const { nats, lines } = open(url, more);
  await until(() => nats.connection() !== null);
  expect(await (await nats.manager()).getAccountInfo()).toMatchObject({ streams: 0 });
  expect(lines).toEqual([]);
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const encoded = encodeURIComponent(PASSWORD);
const usersOf = (...names: string[]) =>
  `authorization { users: [${names.map((user) => JSON.stringify({ user, password: PASSWORD }))}] }`;
const logged = (lines: string[], text: string) => lines.filter((line) => line.includes(text));

describe('a connection to NATS', () => {
  it('accepts a user and a password, and fails without TLS when the URL requires it', async () => {
    const { port } = await serve([usersOf('alice')]);
    await expectUsable(`nats://alice:${encoded}@127.0.0.1:${port}`);
    await expectUsable(`nats://alice:${encoded}@localhost:${port}`);
    await expectUsable(`nats://127.0.0.1:${port},nats://alice:${encoded}@localhost:${port}`);
    const { nats, lines } = open(`tls://alice:${encoded}@localhost:${port}`);
    await until(() => logged(lines, "server does not support 'tls'").length > 0);
    expect(nats.connection()).toBeNull();
  });

  it('accepts a token', async () => {
    const { port } = await serve([`authorization { token: "1${PASSWORD}" }`]);
    await expectUsable(`nats://1${encoded}@localhost:${port}`);
  });

  it('accepts an nkey', async () => {
    const user = nkeys.createUser();
    const { port } = await serve([`authorization { users: [{ nkey: ${user.getPublicKey()} }] }`]);
    const NATS_CREDS = new TextDecoder().decode(user.getSeed());
    await expectUsable(`nats://localhost:${port}`, { NATS_CREDS });
  });

  it('accepts a creds file', async () => {
    const { settings, creds } = operated();
    const { port } = await serve(settings);
    for (const NATS_CREDS of [creds, creds.trim().replaceAll('\n', '\r\n')])
      await expectUsable(`nats://localhost:${port}`, { NATS_CREDS });
  });

  it.each(['localhost', '127.0.0.1'] as const)('uses TLS with a server named %s', async (host) => {
    const certificate = {
      cert_file: file(`${host}.pem`, localCertificate[host]),
      key_file: file('key.pem', localCertificate.key),
    };
    const { port } = await serve([`tls ${JSON.stringify(certificate)}`, usersOf('alice')]);
    const stranger = open(`tls://alice:${encoded}@${host}:${port}`);
    await until(() => logged(stranger.lines, 'NATS cannot be reached').length > 0);
    expect(stranger.lines.join('')).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    const known = tls.getCACertificates();
    try {
      // Has the effect of NODE_EXTRA_CA_CERTS, which Node reads only when a process starts.
      tls.setDefaultCACertificates([...known, localCertificate[host]]);
      await expectUsable(`tls://alice:${encoded}@${host}:${port}`);
      const other = open(
        `tls://alice:${encoded}@${host === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`,
      );
      await until(() => logged(other.lines, 'ERR_TLS_CERT_ALTNAME_INVALID').length > 0);
      expect(other.nats.connection()).toBeNull();
    } finally {
      tls.setDefaultCACertificates(known);
    }
  });

  it('shows NATS its certificate, and reads the file again without a restart', async () => {
    const key = file('client-key.pem', localCertificate.key);
    const authority = file('authority.pem', localCertificate.localhost);
    const settings = { cert_file: authority, key_file: key, ca_file: authority, verify: true };
    const server = await serve([`tls ${JSON.stringify(settings)}`]);
    const url = `tls://localhost:${server.port}`;

    const anonymous = open(url, { NATS_CA_FILE: authority });
    await until(() => server.log().includes('TLS handshake error'));
    expect(anonymous.nats.connection()).toBeNull();
    const files = {
      NATS_CA_FILE: authority,
      NATS_CERT_FILE: join(directory, 'client.pem'),
      NATS_KEY_FILE: key,
    };
    const waiting = open(url, files);
    await until(() => logged(waiting.lines, files.NATS_CERT_FILE).length > 0);
    expect(waiting.nats.connection()).toBeNull();

    file('client.pem', localCertificate.localhost);
    await until(() => waiting.nats.connection() !== null);
    expect(await (await waiting.nats.manager()).getAccountInfo()).toMatchObject({ streams: 0 });
    await (await openParkedEvents({ NATS_URL: url, ...files })).close();
    // A server of another authority is refused.
    const stranger = open(url, { ...files, NATS_CA_FILE: file('other.pem', localCertificate['127.0.0.1']) });
    await until(() => logged(stranger.lines, 'DEPTH_ZERO_SELF_SIGNED_CERT').length > 0);
    expect(stranger.nats.connection()).toBeNull();
  });

  it('needs both files of its certificate', () => {
    expect(() => open('tls://localhost', { NATS_CERT_FILE: 'client.pem' })).toThrow(EnvironmentError);
    expect(() => open('tls://localhost', { NATS_KEY_FILE: 'key.pem' })).toThrow('set both or neither');
  });
});

describe('NATS that refuses the credentials', () => {
  it('is retried until it accepts them, and logs one line', async () => {
    const server = await serve([usersOf('bob')]);
    const { nats, lines } = open(`nats://alice:${encoded}@localhost:${server.port}`);
    await until(() => server.log().split('authentication error').length > 5);
    expect(nats.connection()).toBeNull();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'error',
      msg: 'NATS refuses the credentials in NATS_URL or NATS_CREDS; tried again',
      err: { message: 'Authorization Violation' },
    });
    let connects = 0;
    nats.onConnect(() => {
      connects += 1;
    });
    server.replace(usersOf('alice', 'bob'));
    await until(() => nats.connection() !== null);
    await (await nats.manager()).getAccountInfo();
    expect(connects).toBe(1);
  });

  it('gives commands an error of its own, other than an unreachable server', async () => {
    const { port } = await serve([usersOf('alice')]);
    const opening = (user: string) =>
      openParkedEvents({ NATS_URL: `nats://${user}:${encoded}@localhost:${port}` });
    await expect(opening('bob')).rejects.toThrow('NATS refuses the credentials in NATS_URL or NATS_CREDS');
    await (await opening('alice')).close();
  });
});

describe('replacing the user of NATS', () => {
  it('does not interrupt connections of the new user', async () => {
    const server = await serve([usersOf('old')]);
    const of = (user: string) => open(`nats://${user}:${encoded}@localhost:${server.port}`);
    const old = of('old');
    await until(() => old.nats.connection() !== null);

    server.replace(usersOf('old', 'new'));
    const next = of('new');
    await until(() => next.nats.connection() !== null);
    let received = 0;
    next.nats.connection()!.subscribe('said', {
      callback() {
        received += 1;
      },
    });
    const { length: before } = next.lines;

    server.replace(usersOf('new'));
    await until(() => logged(old.lines, 'NATS refuses the credentials').length > 0);
    expect(old.nats.connection()).toBeNull();
    next.nats.connection()!.publish('said');
    await next.nats.connection()!.flush();
    expect(received).toBe(1);
    // Neither has it logged that NATS was away.
    expect(next.lines).toHaveLength(before);

    // The old user was removed too early; it connects again when it is put back.
    server.replace(usersOf('old', 'new'));
    let connects = 0;
    old.nats.onConnect(() => {
      connects += 1;
    });
    await until(() => old.nats.connection() !== null);
    await (await old.nats.manager()).getAccountInfo();
    expect(connects).toBe(1);
    expect(logged(old.lines, 'NATS is back')).toHaveLength(1);
    expect([...old.lines, ...next.lines].join('')).not.toContain(PASSWORD);
  });
});

/** Returns settings of a server whose accounts an operator signs, and the creds file of a user. */
function operated(): { settings: string[]; creds: string } {
  const [operator, user] = [nkeys.createOperator(), nkeys.createUser()];
  const [account, system] = [nkeys.createAccount(), nkeys.createAccount()];
  const unlimited = { subs: -1, data: -1, payload: -1 };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  function signed(by: typeof operator, subject: typeof operator, nats: object): string {
    const sub = subject.getPublicKey();
    const claims = {
      jti: sub,
      iat: 1,
      iss: by.getPublicKey(),
      sub,
      name: 'test',
      nats: { ...nats, version: 2 },
    };
    const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
    return `${text}.${Buffer.from(by.sign(new TextEncoder().encode(text))).toString('base64url')}`;
  }
  const limits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const accountToken = signed(operator, account, { type: 'account', limits: { ...limits, ...storage } });
  const systemToken = signed(operator, system, { type: 'account', limits });
  const userToken = signed(account, user, { type: 'user', ...unlimited });
  return {
    settings: [
      `operator: ${signed(operator, operator, { type: 'operator' })}`,
      'resolver: MEMORY',
      `system_account: ${system.getPublicKey()}`,
      `resolver_preload: { ${account.getPublicKey()}: ${accountToken}, ${system.getPublicKey()}: ${systemToken} }`,
    ],
    creds: [
      '-----BEGIN NATS USER JWT-----',
      userToken,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      new TextDecoder().decode(user.getSeed()),
      '------END USER NKEY SEED------',
      '',
    ].join('\n'),
  };
}
