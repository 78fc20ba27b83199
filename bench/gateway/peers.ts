import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ManagedProcess, startProcess } from '@waymark/local-stack';

/** A peer gateway: checks a key, applies a limit that is never reached, logs, and proxies to the upstream. */
export interface Peer {
  name: string;
  process: ManagedProcess;
  /** The header that carries its key. */
  header: Record<string, string>;
}

interface PeerOptions {
  directory: string;
  port: number;
  upstreamPort: number;
  redisUrl: string;
}

const KEY = 'a-key-that-is-as-long-as-one-of-ours-0123456789';

export async function startNginx({ directory, port, upstreamPort }: PeerOptions): Promise<Peer> {
  const file = join(directory, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/nginx-error.log;
events { worker_connections 1024; }
http {
  access_log ${directory}/nginx-access.log;
  map_hash_bucket_size 128;
  map $http_x_api_key $known { default 0; "${KEY}" 1; }
  limit_req_zone $http_x_api_key zone=keys:1m rate=1000000r/s;
  upstream service { server 127.0.0.1:${upstreamPort}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      if ($known = 0) { return 401; }
      limit_req zone=keys burst=1000000 nodelay;
      proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_pass http://service;
    }
  }
}
`,
  );
  const process = await startProcess({
    name: 'nginx',
    command: 'nginx',
    args: ['-p', directory, '-c', file],
    isReady: () => answers(port),
  });
  return { name: 'nginx', process, header: { 'X-Api-Key': KEY } };
}

export async function startHaproxy({ directory, port, upstreamPort }: PeerOptions): Promise<Peer> {
  const file = join(directory, 'haproxy.cfg');
  await writeFile(
    file,
    `global
  nbthread 1
  log stdout format raw local0
defaults
  mode http
  log global
  option httplog
  timeout connect 2s
  timeout client 30s
  timeout server 30s
frontend in
  bind 127.0.0.1:${port}
  stick-table type string len 64 size 100k expire 1m store http_req_rate(60s)
  http-request deny deny_status 401 unless { req.hdr(x-api-key) -m str ${KEY} }
  http-request track-sc0 req.hdr(x-api-key)
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 1000000000 }
  default_backend service
backend service
  http-reuse always
  server one 127.0.0.1:${upstreamPort}
`,
  );
  const process = await startProcess({
    name: 'haproxy',
    command: 'haproxy',
    args: ['-db', '-f', file],
    logFile: join(directory, 'haproxy.log'),
    isReady: () => answers(port),
  });
  return { name: 'HAProxy', process, header: { 'X-Api-Key': KEY } };
}

/** Express and http-proxy-middleware with one Redis script per request: no key, no log. */
export async function startExpressProxy({
  directory,
  port,
  upstreamPort,
  redisUrl,
}: PeerOptions): Promise<Peer> {
  const started = await startProcess({
    name: 'express-proxy',
    command: process.execPath,
    args: [join(import.meta.dirname, 'express-proxy.ts')],
    env: { PORT: String(port), REDIS_URL: redisUrl, UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}` },
    logFile: join(directory, 'express-proxy.log'),
    isReady: () => answers(port),
  });
  return { name: 'Express 5 + http-proxy-middleware 4, one script', process: started, header: {} };
}

const EXPRESS_GATEWAY = 'express-gateway@1.16.11';

/**
 * Installs express-gateway from the package registry into `directory`. Its key check is disabled, because
 * it hashes with bcrypt on every request. Its limiter's default delay, a second more for each request of a
 * window, is disabled too.
 */
export async function startExpressGateway(options: PeerOptions): Promise<Peer> {
  const { directory, port, upstreamPort, redisUrl } = options;
  const home = join(directory, 'express-gateway');
  const config = join(home, 'config');
  await mkdir(join(config, 'models'), { recursive: true });
  await writeFile(join(home, 'package.json'), '{"private":true}');
  const run = promisify(execFile);
  // With the variables of `npm run`, npm would install into our own packages.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const flags = ['--prefix', home, '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  await run('npm', ['install', ...flags, EXPRESS_GATEWAY], { cwd: home, env });
  await run('cp', ['-r', `${home}/node_modules/express-gateway/lib/config/models`, config]);
  const redis = new URL(redisUrl);
  await writeFile(
    join(config, 'system.config.yml'),
    `db:
  redis: { host: ${redis.hostname}, port: ${redis.port}, namespace: EG }
crypto: { cipherKey: sensitiveKey, algorithm: aes256, saltRounds: 10 }
session: { secret: keyboard cat, resave: false, saveUninitialized: false }
accessTokens: { timeToExpiry: 7200000 }
refreshTokens: { timeToExpiry: 7200000 }
authorizationCodes: { timeToExpiry: 300000 }
`,
  );
  await writeFile(
    join(config, 'gateway.config.yml'),
    `http: { port: ${port}, hostname: 127.0.0.1 }
admin: { port: ${port + 1}, host: 127.0.0.1 }
apiEndpoints: { api: { host: '*', paths: '/*' } }
serviceEndpoints: { service: { url: 'http://127.0.0.1:${upstreamPort}' } }
policies: [rate-limit, log, proxy]
pipelines:
  default:
    apiEndpoints: [api]
    policies:
      - rate-limit: [{ action: { max: 100000000, windowMs: 60000, delayMs: 0 } }]
      - log: [{ action: { message: '\${req.method} \${req.originalUrl}' } }]
      - proxy: [{ action: { serviceEndpoint: service, changeOrigin: true } }]
`,
  );
  const started = await startProcess({
    name: 'express-gateway',
    command: process.execPath,
    args: ['-e', `require('express-gateway')().load('${config}').run()`],
    cwd: home,
    logFile: join(directory, 'express-gateway.log'),
    isReady: () => answers(port),
  });
  return { name: 'express-gateway', process: started, header: {} };
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}
