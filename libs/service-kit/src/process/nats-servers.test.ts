import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from './environment.ts';
import { natsCredentials, natsServers } from './nats-servers.ts';

const shape = { NATS_URL: natsServers(), NATS_CREDS: natsCredentials() };
const read = (url: string) => readEnvironment(shape, { NATS_URL: url }).natsUrl;
const servers = (...hosts: string[]) => ({ servers: hosts });

describe('NATS_URL', () => {
  it('names one or more servers', () => {
    expect(readEnvironment(shape, {}).natsUrl).toEqual(servers('127.0.0.1:4222'));
    expect(read('nats://localhost')).toEqual(servers('localhost:4222'));
    expect(read('one:1')).toEqual(servers('one:1'));
    expect(read('nats://one:1/, nats://[::1]:2,')).toEqual(servers('one:1', '[::1]:2'));
    expect(read('nats://one:1,tls://two:2')).toEqual({ ...servers('one:1', 'two:2'), tls: {} });
  });

  it('applies percent-encoded credentials to all servers', () => {
    const alice = { user: 'al ice', pass: '1@:/,%ö' };
    const encoded = 'nats://al%20ice:1%40%3A%2F%2C%25%C3%B6@';
    expect(read(`${encoded}localhost:1`)).toEqual({ ...servers('localhost:1'), ...alice });
    expect(read(`${encoded}one,${encoded}two`)).toEqual({ ...servers('one:4222', 'two:4222'), ...alice });
    expect(read(`nats://one,${encoded}two`)).toEqual({ ...servers('one:4222', 'two:4222'), ...alice });
    expect(read('tls://s3cret@one')).toEqual({ ...servers('one:4222'), tls: {}, token: 's3cret' });
  });

  it.each([
    ...['nats://a:s3cret@', 'nats://a:s3/cret@one', 'nats://a:s3cret,@one', 'nats://a:s3%cret@one', ' , '],
    ...['http://a:s3cret@one', 'nats://:s3cret@one', 's3cret@one', 'nats://one:s3cret', 'nats://one/s3cret'],
    ...[
      'nats://a:s3cret@one?x',
      'nats://a:s3cret@one,nats://b:s3cret@two',
      'nats://a:s3cret@one,nats://s3cret@two',
    ],
    'nats://a:1,s3cret@one',
  ])('reports the variable and does not repeat the value %s', (url) => {
    expect(() => read(url)).toThrow(/\n {2}NATS_URL: /);
    expect(() => read(url)).not.toThrow(/s3/);
  });
});

describe('NATS_CREDS', () => {
  it.each(['s3cret', 'SUS3CRET', '-----BEGIN NATS USER JWT-----\ns3cret\n------END NATS USER JWT------\n'])(
    'reports the variable and does not repeat the value %j',
    (text) => {
      const reading = () => readEnvironment(shape, { NATS_CREDS: text });
      expect(reading).toThrow(/\n {2}NATS_CREDS: must be the content/);
      expect(reading).not.toThrow(/s3cret/i);
    },
  );
});
