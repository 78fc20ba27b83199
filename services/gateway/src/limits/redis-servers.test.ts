import { describe, expect, it } from '@jest/globals';
import { testEnvironment } from '@waymark/testing';
import { readConfig } from '../config.ts';

const read = (url?: string) => readConfig({ ...testEnvironment(), REDIS_URL: url }).redisUrl;
const at = (host: string, port = 6379) => ({ host, port });

describe('REDIS_URL', () => {
  it('is one server, or some nodes of a cluster', () => {
    expect(read()).toEqual({ servers: [at('127.0.0.1')], tls: false });
    expect(read('redis://one:1/2')).toEqual({ servers: [at('one', 1)], tls: false, database: 2 });
    expect(read('rediss://[::1], rediss://two:2/')).toEqual({
      servers: [at('::1'), at('two', 2)],
      tls: true,
    });
  });

  it('may contain percent-encoded credentials, which apply to all nodes', () => {
    const alice = { username: 'alice', password: '1@:/,%ö' };
    const encoded = 'redis://alice:1%40%3A%2F%2C%25%C3%B6@';
    expect(read(`${encoded}one`)).toEqual({ servers: [at('one')], tls: false, ...alice });
    expect(read(`${encoded}one,redis://two`)).toEqual({
      servers: [at('one'), at('two')],
      tls: false,
      ...alice,
    });
    expect(read('redis://:s3cret@one')).toEqual({ servers: [at('one')], tls: false, password: 's3cret' });
  });

  it('names one master beside the sentinels that know its address', () => {
    const env = { ...testEnvironment(), REDIS_URL: 'redis://:a@my-master.1' };
    const sentinels = 'rediss://:b@one,two:1';
    const { redisUrl, redisSentinelUrl } = readConfig({ ...env, REDIS_SENTINEL_URL: sentinels });
    expect(redisUrl.servers).toEqual([at('my-master.1')]);
    expect(redisSentinelUrl).toEqual({
      servers: [at('one', 26_379), at('two', 1)],
      tls: true,
      password: 'b',
    });
    for (const wrong of [{ REDIS_CLUSTER: 'true' }, { REDIS_URL: 'redis://one,two' }])
      expect(() => readConfig({ ...env, REDIS_SENTINEL_URL: sentinels, ...wrong })).toThrow(
        /REDIS_SENTINEL_URL, REDIS_URL names one master/,
      );
  });

  it.each([
    ...[
      'redis://a:s3cret@',
      'redis://a:s3/cret@one',
      'redis://a:s3cret,@one',
      'redis://a:s3%cret@one',
      'http://a:s3cret@one',
    ],
    ...[
      's3cret@one',
      'redis://one:s3cret',
      'redis://one/s3cret',
      'redis://a:s3cret@one,redis://b:s3cret@two',
    ],
  ])('%s is refused by its name, and not repeated', (url) => {
    expect(() => read(url)).toThrow(/\n {2}REDIS_URL: /);
    expect(() => read(url)).not.toThrow(/s3/);
  });
});
