import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { BlockList } from 'node:net';
import { basename, delimiter, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventStream, eventTypes, publisherOf, type ServiceName, services } from '@waymark/contracts';
import { acquireBinary, findRepositoryRoot, freePort, startProcess } from '@waymark/local-stack';
import { identityPrivateKeysOf } from '@waymark/service-kit/process';
import { acceptedSubjects, testFolder } from '@waymark/testing';
import { parse } from 'yaml';
import { environmentOf } from '../../apps/cli/src/databases.ts';
import { readStages } from '../../dev/stand-ins/docker/read-dockerfile.ts';
import { run } from './support/run.ts';
import { serviceNeeds, variablesOf } from './support/service-needs.ts';
import { answers } from './support/start-chart-stores.ts';

const root = findRepositoryRoot();
const folder = testFolder();

const compose = parse(readFileSync(join(root, 'deploy/compose/compose.yaml'), 'utf8'), { merge: true });
const values = parse(readFileSync(join(root, 'deploy/helm/waymark/values.yaml'), 'utf8'));
/** The fields of a service that the tests read. */
interface Part {
  image: string;
  pull_policy?: string;
  depends_on?: Record<string, unknown>;
  volumes?: string[];
  secrets?: (string | { source: string; target: string })[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  pids_limit?: number;
  networks: string[];
  configs?: { source: string }[];
  command?: string[];
  extends?: { file: string; service: string };
  mem_limit?: string;
  logging?: object;
  restart?: string;
  ports?: string[];
}

const names = Object.keys(services) as ServiceName[];

/** Expands `${NAME}`, `${NAME:-default}` and `${NAME:?message}` like compose. */
function fillIn(text: string, env: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
    const value = env[name];
    if (!value && kind === '?') throw new Error(`${name}: ${rest}`);
    return value || (rest ?? '');
  });
}

const optional = ['OIDC_CLIENT_SECRET', 'SMTP_URL', 'WEBHOOK_PROXY_URL', 'OTEL_EXPORTER_OTLP_HEADERS'];
const makeEnv = join(root, 'deploy/compose/make-env.sh');

const variablesIn = (file: string) =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  ) as Record<string, string>;

/** Makes the secrets of an installation in a new folder, beside `dotenv`, and returns them. */
async function makeSecrets(dotenv?: string) {
  const installation = mkdtempSync(join(folder, 'installation-'));
  copyFileSync(makeEnv, join(installation, 'make-env.sh'));
  if (dotenv !== undefined) writeFileSync(join(installation, '.env'), dotenv);
  const make = () => run('sh', [join(installation, 'make-env.sh')]);
  expect(await make()).toMatchObject({ code: 0 });
  const directory = join(installation, 'secrets');
  expect(statSync(directory).mode & 0o077).toBe(0);
  return { secrets: readSecrets(directory), directory, make };
}

function readSecrets(directory: string): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const name of readdirSync(directory)) {
    // Each is mounted alone, and its reader is another user. Its owner writes the optional ones.
    const expected = optional.includes(name) ? 0o644 : 0o444;
    expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, expected]);
    secrets[name] = readFileSync(join(directory, name), 'utf8');
  }
  return secrets;
}

/** Returns what a part reads from SECRETS_DIRECTORY. */
function mounted({ secrets = [] }: Part, values: Record<string, string>): Record<string, string> {
  const pairs = secrets.map((each) => (typeof each === 'string' ? { source: each, target: each } : each));
  for (const { source } of pairs) expect(values).toHaveProperty(source);
  return Object.fromEntries(pairs.map(({ source, target }) => [target, values[source]!]));
}

describe('compose.yaml', () => {
  test('gives every service a valid configuration', async () => {
    const { secrets } = await makeSecrets();
    for (const name of names) {
      const { SECRETS_DIRECTORY, ...given } = compose.services[name].environment as Record<string, string>;
      expect(SECRETS_DIRECTORY).toBe('/run/secrets');
      const filled = Object.entries(given).map(([variable, value]) => [variable, fillIn(value, {})]);
      const env = { ...Object.fromEntries(filled), ...mounted(compose.services[name], secrets) };
      const { readConfig } = await import(`../../services/${name}/src/config.ts`);
      const { identityPrivateKeys, identityPublicKeys } = readConfig(env);
      const [publicKey] = identityPublicKeys.get(name);
      expect(createPublicKey(identityPrivateKeys[0]).equals(publicKey)).toBe(true);
      const { calls, stores, secrets: needed } = serviceNeeds(name);
      const urls = [...calls, ...stores].map((each) => `${each.toUpperCase()}_URL`);
      expect(Object.keys(env)).toEqual(expect.arrayContaining([...urls, ...needed]));
      // A variable that no service reads is a typing error. At least one service reads each shared variable.
      for (const variable of Object.keys(env)) expect(names.flatMap(variablesOf)).toContain(variable);
    }
  });

  test('takes from .env every variable of a service that it does not set itself', async () => {
    const settled = [
      ...['HOST', 'PORT', 'ADMIN_PORT', 'CONSOLE_DIRECTORY', 'MONGODB_DATABASE', 'MIGRATE_ON_START'],
      ...['NATS_CERT_FILE', 'NATS_KEY_FILE', 'NATS_CA_FILE'],
      ...['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CA_FILE', 'PUBLIC_TLS'],
      ...['NATS_REPLICAS', 'NATS_CREDS', 'REDIS_CLUSTER', 'WEBHOOK_ALLOW_LOOPBACK', 'DRAIN_DELAY_MS'],
    ];
    for (const name of names) {
      const { environment } = await import(`../../services/${name}/src/config.ts`);
      const given: Record<string, string> = compose.services[name].environment;
      for (const variable of Object.keys(environment)) {
        if (settled.includes(variable) || variable.endsWith('_URL')) continue;
        const files = (compose.services[name] as Part).secrets!.map((each) =>
          typeof each === 'string' ? each : each.target,
        );
        if (files.includes(variable)) continue;
        expect([name, variable, fillIn(given[variable] ?? '', { [variable]: 'said' })]).toEqual([
          name,
          variable,
          'said',
        ]);
      }
    }
  });

  test.each(['single-sign-on', 'mail'])(
    'lets accounts reach what %s needs if the file for it is added',
    (name) => {
      const added = parse(readFileSync(join(root, `deploy/compose/${name}.yaml`), 'utf8'));
      expect(added).toEqual({ services: { accounts: { networks: ['inside', 'outside'] } } });
      expect(compose.networks.outside?.internal).not.toBe(true);
    },
  );

  test('lets every service trust a private authority if the file for it is added', () => {
    const added = parse(readFileSync(join(root, 'deploy/compose/own-authority.yaml'), 'utf8'), {
      merge: true,
    });
    expect(Object.keys(added.services).sort()).toEqual([...names].sort());
    for (const { environment, configs } of Object.values<Record<string, unknown>>(added.services)) {
      expect(environment).toEqual({ NODE_EXTRA_CA_CERTS: '/etc/waymark/ca.crt' });
      expect(configs).toEqual([{ source: 'authority', target: '/etc/waymark/ca.crt' }]);
    }
    expect(() => fillIn(added.configs.authority.file, {})).toThrow('CA_CERTIFICATES');
  });

  test('gets secrets that nothing overwrites, and those of an earlier version stay', async () => {
    const { secrets, make } = await makeSecrets();
    expect(await make()).toMatchObject({ code: 1, output: expect.stringContaining('left as it is') });
    expect(Object.keys(compose.secrets).sort()).toEqual(Object.keys(secrets).sort());
    for (const [name, secret] of Object.entries(compose.secrets))
      expect(secret).toEqual({ file: `./secrets/${name}` });
    const file = join(folder, 'variables.env');
    await run('sh', [makeEnv, file]);
    expect(statSync(file).mode & 0o077).toBe(0);
    const variables = variablesIn(file);
    expect(new Set(Object.values(variables)).size).toBe(Object.keys(variables).length);
    const upgraded = await makeSecrets(`PUBLIC_URL=http://a\n${readFileSync(file, 'utf8')}`);
    expect(upgraded.secrets).toMatchObject(variables);
    const text = readFileSync(file, 'utf8');
    const before = text.replace(/^NOTIFICATIONS_.*\n/m, '').replace(/,notifications=.*/, '');
    const { IDENTITY_PUBLIC_KEYS: keys } = (await makeSecrets(before)).secrets;
    expect(keys!.replace(/,notifications=[\w+/=]+$/, '')).toBe(
      /^IDENTITY_PUBLIC_KEYS=(.*)$/m.exec(before)![1],
    );
    expect(keys).toContain(',notifications=');
    expect(upgraded.secrets['MONGODB_URL']).toContain(upgraded.secrets['MONGODB_PASSWORD']);
  });

  test('gets files for the secrets that .env had', async () => {
    const { directory, make } = await makeSecrets('SMTP_URL=smtp://a:b@c:587\n');
    expect(readSecrets(directory)['SMTP_URL']).toBe('smtp://a:b@c:587');
    for (const name of optional) rmSync(join(directory, name));
    const before = readSecrets(directory);
    expect(await make()).toMatchObject({ code: 0, output: expect.stringContaining('Added') });
    const empty = Object.fromEntries(optional.map((name) => [name, '']));
    expect(readSecrets(directory)).toEqual({ ...before, ...empty, SMTP_URL: 'smtp://a:b@c:587' });
  });

  test('gets users of NATS beside its other secrets, where the services shared one', async () => {
    const { secrets, directory, make } = await makeSecrets();
    for (const name of Object.keys(secrets).filter((each) => each.includes('NATS')))
      rmSync(join(directory, name));
    for (const name of ['NATS_PASSWORD', 'NATS_URL']) writeFileSync(join(directory, name), 'shared');
    expect(await make()).toMatchObject({ code: 0, output: expect.stringContaining('Added') });
    const added = readSecrets(directory);
    expect(Object.keys(added).sort()).toEqual(Object.keys(secrets).sort());
    const others = Object.entries(secrets).filter(([name]) => !name.includes('NATS'));
    expect(added).toMatchObject(Object.fromEntries(others));
    expect(await make()).toMatchObject({ code: 1 });
  });

  test('gives its stores passwords, and shows no secret in the variables of a container', async () => {
    const { secrets } = await makeSecrets();
    for (const name of optional) expect(secrets[name]).toBe('');
    for (const [url, password] of [
      ['MONGODB_URL', 'MONGODB_PASSWORD'],
      ['REDIS_URL', 'REDIS_PASSWORD'],
    ])
      expect(new URL(secrets[url!]!).password).toBe(secrets[password!]);
    for (const name of ['operator', ...names]) {
      const { username, password } = new URL(secrets[`${name.toUpperCase()}_NATS_URL`]!);
      expect(username).toBe(name);
      expect(secrets['NATS_PASSWORDS']).toContain(`${name.toUpperCase()}_NATS_PASSWORD=${password}\n`);
    }
    for (const name of names) {
      const { NATS_URL } = mounted(compose.services[name], secrets);
      expect(new URL(NATS_URL!).username).toBe(name);
    }
    expect(compose.services.mongo.command).toEqual(expect.arrayContaining(['--keyFile', '/tmp/key']));
    for (const [name, password] of [
      ['mongo', 'MONGODB_PASSWORD'],
      ['redis', 'REDIS_PASSWORD'],
      ['nats', 'NATS_PASSWORDS'],
    ])
      expect([name, compose.services[name!].secrets]).toEqual([name, expect.arrayContaining([password])]);
    for (const [name, { environment = {} }] of Object.entries<{ environment?: object }>(compose.services))
      for (const secret of Object.keys(secrets))
        expect([name, environment]).not.toEqual([
          name,
          expect.objectContaining({ [secret]: expect.anything() }),
        ]);
  });

  test('takes from every container the rights and the processes that it does not need', () => {
    const https = parse(readFileSync(join(root, 'deploy/compose/https.yaml'), 'utf8')).services;
    for (const [name, part] of Object.entries<Part>({ ...compose.services, ...https })) {
      expect([name, part]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          pids_limit: expect.any(Number),
          mem_limit: expect.any(String),
        }),
      ]);
    }
  });

  test('gives an operator’s commands their configuration, and starts them only on request', async () => {
    const { environment, profiles, networks, secrets: files } = compose.services.tools;
    expect([profiles, networks]).toEqual([['tools'], ['inside']]);
    const shared = [
      'IDENTITY_PUBLIC_KEYS',
      'CURSOR_SECRETS',
      'AUDIT_SIGNING_KEYS',
      'WEBHOOK_ENCRYPTION_KEYS',
    ];
    const secrets = [...shared, ...names.map(identityPrivateKeysOf)];
    const operator = { source: 'OPERATOR_NATS_URL', target: 'NATS_URL' };
    const calls = serviceNeeds('search').calls.map((name) => `${name.toUpperCase()}_URL`);
    expect(files).toEqual(expect.arrayContaining(['MONGODB_URL', operator, 'REDIS_URL', ...secrets]));
    const needed = ['AUDIT_RETENTION_DAYS', 'DEFAULT_PLAN', ...calls];
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(needed));
  });

  test('uses the images that are built here, and pulls none of that name from a registry', () => {
    const ours = Object.values<Part>(compose.services).filter(({ image }) => image.startsWith('waymark/'));
    expect(ours).toHaveLength(names.length + 2);
    for (const { image, pull_policy } of ours) expect([image, pull_policy]).toEqual([image, 'never']);
  });

  test('the documented backup writes to a mounted folder, because nothing else in the container is writable', () => {
    expect(compose.services.tools.read_only).toBe(true);
    const read = (page: string) => readFileSync(join(root, `docs/operating/${page}.md`), 'utf8');
    const commands = [
      ...`${read('backup')}${read('restore')}`.matchAll(
        /compose\.yaml run (.*) tools (?:backup|restore) (\S+)/g,
      ),
    ];
    expect(commands).toHaveLength(2);
    for (const [, options = '', directory = ''] of commands) {
      // The owner of the folder can write to it.
      expect(options).toContain('--user "$(id -u):$(id -g)"');
      const [, mounted] = /-v "[^":]+:([^"]+)"/.exec(options)!;
      expect(directory.startsWith(`${mounted}/`)).toBe(true);
    }
  });

  test('exposes only the gateway, and lets only webhooks reach the internet', () => {
    const all = Object.entries<Part>(compose.services);
    expect(all.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['gateway']);
    const outside = all.filter(([, { networks }]) => networks.includes('outside')).map(([name]) => name);
    expect(outside.sort()).toEqual(['gateway', 'webhooks']);
    expect(compose.networks.inside.internal).toBe(true);
    expect(compose.services.webhooks.environment).not.toHaveProperty('WEBHOOK_ALLOW_LOOPBACK');
  });

  test('bounds the log and the memory of everything that keeps running, as the chart does', () => {
    const running = Object.entries<Part>(compose.services).filter(([, { restart }]) => restart);
    expect(running.map(([name]) => name).sort()).toEqual([...names, 'mongo', 'nats', 'redis'].sort());
    for (const [name, { logging, mem_limit }] of running) {
      expect([name, logging]).toEqual([
        name,
        { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
      ]);
      expect([name, mem_limit]).toEqual([name, expect.any(String)]);
    }
    const bytesOf = (name: string) => compose.services[name].mem_limit.replace('m', 'Mi').replace('g', 'Gi');
    for (const name of names) {
      const { resources = values.defaults.resources } = values.services[name] ?? {};
      expect([name, bytesOf(name)]).toEqual([name, resources.limits.memory]);
    }
    expect(compose.services.mongo.command).toContain('--wiredTigerCacheSizeGB');
    expect(fillIn(compose.services.mongo.command.at(-1), {})).toBe('1');
  });

  test('runs the same stores as the chart', () => {
    expect(fillIn(compose.services.mongo.image, {})).toBe(values.evaluation.mongodb.image);
    expect(fillIn(compose.services.redis.image, {})).toBe(values.evaluation.redis.image);
    expect(fillIn(compose.services.nats.image, {})).toBe(values.evaluation.nats.image);
    expect(readFileSync(join(root, 'deploy/compose', compose.configs.nats.file), 'utf8')).toContain(
      'sync_interval: always',
    );
  });

  test.each(['waymark', 'blue'])(
    'lets each service publish its own subjects of NATS alone, with the prefix %s',
    async (prefix) => {
      const { secrets, directory } = await makeSecrets();
      const { entrypoint, command, environment, configs } = compose.services.nats;
      const own = mkdtempSync(join(folder, 'nats-'));
      for (const { source, target } of configs as { source: string; target: string }[]) {
        const text = readFileSync(join(root, 'deploy/compose', compose.configs[source].file), 'utf8');
        const local = text.replace('/data', own).replace(': 8222', `: 127.0.0.1:${await freePort()}`);
        writeFileSync(join(own, basename(target)), local);
      }
      symlinkSync((await acquireBinary('nats', console.error)) as string, join(own, 'nats-server'));
      const port = await freePort();
      const [shell = '', ...args] = [...entrypoint, ...command].map((text: string) =>
        text
          .replaceAll('$$', '$')
          .replaceAll(/\/etc\/nats|\/tmp/g, own)
          .replaceAll('/run/secrets', directory),
      );
      const nats = await startProcess({
        name: 'nats',
        command: shell,
        args: [...args, '--port', String(port), '--addr', '127.0.0.1'],
        env: {
          NATS_PREFIX: fillIn(environment.NATS_PREFIX, { NATS_PREFIX: prefix === 'waymark' ? '' : prefix }),
          PATH: [own, process.env['PATH']].join(delimiter),
        },
        port,
        isReady: () => answers(port),
      });
      try {
        const urlOf = (name: string) =>
          secrets[`${name.toUpperCase()}_NATS_URL`]!.replace('nats:4222', `127.0.0.1:${port}`);
        const { subject, invalidations } = eventStream(prefix);
        const all = [...eventTypes.map(subject), invalidations];
        for (const name of names) {
          const expected = eventTypes.filter((type) => publisherOf(type) === name).map(subject);
          if (name === 'accounts') expected.push(invalidations);
          const accepted = await acceptedSubjects(urlOf(name), urlOf('operator'), all);
          expect([name, accepted]).toEqual([name, expected]);
        }
        expect(await acceptedSubjects(urlOf('operator'), urlOf('operator'), all)).toEqual(all);
      } finally {
        await nats.stop();
      }
    },
  );

  test.each([
    ['mongo', values.evaluation.mongodb.image],
    ['redis', values.evaluation.redis.image],
    ['nats', values.evaluation.nats.image],
  ] as const)('uses the same %s as `npm test` where a container engine runs', async (name, image) => {
    const pulled: string[] = [];
    const pull = async (found: { string: string }) => void pulled.push(found.string);
    const findEngine = async () => ({ image: { pull } }) as never;
    const found = await acquireBinary(name, () => undefined, { temporary: true, findEngine });
    expect([found, pulled]).toEqual([expect.objectContaining({ image }), [image]]);
  });

  test.each([
    ['HTTP/1.0 200 OK', 0, ''],
    ['HTTP/1.0 503 Service Unavailable {"error":"not current: node write error: no space left"}', 1, '1'],
    ['HTTP/1.0 503 Service Unavailable {"error":"still recovering"}', 1, ''],
    ['', 1, ''],
  ])(
    'its health check of NATS, answered with "%s", exits with %i and ends process "%s"',
    (answer, status, ended) => {
      const [kind, script] = compose.services.nats.healthcheck.test;
      expect([kind, compose.services.nats.restart]).toEqual(['CMD-SHELL', 'unless-stopped']);
      const stubs = `nc() { printf '%s' "$ANSWER"; }; kill() { printf '%s' "$1"; };`;
      const checked = spawnSync('sh', ['-c', `${stubs}\n${script.replaceAll('$$', '$')}`], {
        env: { ANSWER: answer },
        encoding: 'utf8',
      });
      expect([checked.status, checked.stdout]).toEqual([status, ended]);
    },
  );

  test('names only existing services, volumes, networks and files', () => {
    const all: Record<string, Part> = compose.services;
    for (const part of Object.values(all)) {
      for (const other of Object.keys(part.depends_on ?? {})) expect(all).toHaveProperty(other);
      for (const volume of part.volumes ?? []) expect(compose.volumes).toHaveProperty(volume.split(':')[0]!);
      for (const network of part.networks) expect(compose.networks).toHaveProperty(network);
      for (const { source } of part.configs ?? []) expect(compose.configs).toHaveProperty(source);
    }
  });
});

test('https.yaml puts Caddy before the gateway of either file, at the address that it says to trust', () => {
  const text = readFileSync(join(root, 'deploy/compose/https.yaml'), 'utf8');
  const { services: added, networks } = parse(text);
  const address = added.caddy.networks.outside.ipv4_address;
  expect(text).toContain(`TRUSTED_PROXIES=${address},`);
  const { subnet } = networks.outside.ipam.config[0];
  const [network, bits] = subnet.split('/');
  const block = new BlockList();
  block.addSubnet(network, Number(bits));
  expect(block.check(address)).toBe(true);
  expect(added.caddy.command.at(-1)).toBe('gateway:8080');
  expect(compose.services.gateway.networks).toContain('outside');
  const small = parse(readFileSync(join(root, 'deploy/compose/compose.small.yaml'), 'utf8'), { merge: true });
  expect(small.services.waymark.networks.outside.aliases).toContain('gateway');
});

describe('compose.small.yaml', () => {
  const small = parse(readFileSync(join(root, 'deploy/compose/compose.small.yaml'), 'utf8'), { merge: true });
  const { waymark, tools, ...stores } = small.services;

  test('gives every service of the one process a valid configuration', async () => {
    const { secrets } = await makeSecrets();
    const dockerfile = readStages(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'));
    expect(waymark.command).toEqual([...dockerfile.at(-1)!.cmd, 'all']);
    expect(waymark.env_file).toEqual(['.env']);
    for (const part of [waymark, tools]) {
      const given = Object.entries<string>(part.environment);
      const filled = given.map(([variable, value]) => [variable, fillIn(value, {})]);
      const all = { ...Object.fromEntries(filled), ...mounted(part, secrets) };
      for (const name of names) {
        const { readConfig } = await import(`../../services/${name}/src/config.ts`);
        const config = readConfig(environmentOf(name, { ...all, PORT: '8080', ADMIN_PORT: '9090' }));
        const [publicKey] = config.identityPublicKeys.get(name);
        expect(createPublicKey(config.identityPrivateKeys[0]).equals(publicKey)).toBe(true);
        expect([name, config.port]).toEqual([name, services[name].port]);
        for (const store of serviceNeeds(name).stores) {
          expect(Object.keys(environmentOf(name, all))).toContain(`${store.toUpperCase()}_URL`);
        }
      }
    }
  });

  test('publishes to NATS as each of its services, and as an operator in commands only', async () => {
    const { secrets } = await makeSecrets();
    const userIn = (part: Part, name: ServiceName) =>
      new URL(environmentOf(name, mounted(part, secrets))['NATS_URL']!).username;
    for (const name of names)
      expect([userIn(waymark, name), userIn(tools, name)]).toEqual([name, 'operator']);
    expect(mounted(waymark, secrets)).not.toHaveProperty('NATS_URL');
  });

  test('runs the stores of compose.yaml, with their volumes, networks and configurations', () => {
    expect(Object.keys(stores).sort()).toEqual(['mongo', 'nats', 'redis']);
    for (const [name, { extends: extended, command }] of Object.entries<Part>(stores)) {
      expect(extended).toEqual({ file: 'compose.yaml', service: name });
      const original: string[] = compose.services[name].command;
      // Its cache is smaller.
      const common = original.slice(0, original.indexOf('--wiredTigerCacheSizeGB') >>> 0);
      expect((command ?? original).slice(0, common.length)).toEqual(common);
    }
    expect([small.name, small.volumes, small.networks]).toEqual([
      compose.name,
      compose.volumes,
      compose.networks,
    ]);
    expect([small.configs, small.secrets]).toEqual([compose.configs, compose.secrets]);
  });

  test('needs 1 GiB', () => {
    const mebibytes = [waymark, ...Object.values<Part>(stores)].map(({ mem_limit }) =>
      Number.parseInt(mem_limit ?? '', 10),
    );
    expect(mebibytes.reduce((sum, limit) => sum + limit)).toBe(1_024);
    // Without it, MongoDB takes half of the machine's memory for its cache.
    expect(stores.mongo.command).toContain('--wiredTigerCacheSizeGB');
  });

  test('exposes only the gateway, and gives the process no more rights than compose.yaml does', () => {
    expect(waymark.ports).toEqual(compose.services.gateway.ports);
    const { image, pull_policy, read_only, cap_drop, security_opt, pids_limit } = compose.services.tools;
    for (const part of [waymark, tools])
      expect(part).toMatchObject({ image, pull_policy, read_only, cap_drop, security_opt, pids_limit });
  });
});
