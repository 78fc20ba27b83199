import http from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { createClient, defineScript } from 'redis';

/**
 * The smallest gateway made of our packages: Express, the proxy, and one Redis script per request. Waymark
 * adds keys, scopes, both limit tiers, logs, metrics, circuit breakers and error responses.
 */
const WINDOW_MS = 60_000;
const { PORT, REDIS_URL, UPSTREAM_URL } = process.env;

const count = defineScript({
  SCRIPT: `local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return n`,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string) {
    parser.pushKey(key);
    parser.push(String(WINDOW_MS));
  },
  transformReply: (reply: unknown) => reply as number,
});
const redis = createClient({ url: String(REDIS_URL), scripts: { count } });
redis.on('error', (error) => console.error(error));
await redis.connect();

const app = express().disable('x-powered-by').disable('etag');
app.use(async (_, response, next) => {
  response.setHeader('X-Count', await redis.count('express-proxy'));
  next();
});
app.use(createProxyMiddleware({ target: String(UPSTREAM_URL), agent: new http.Agent({ keepAlive: true }) }));
app.listen(Number(PORT), '127.0.0.1');
