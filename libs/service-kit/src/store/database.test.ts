import { describe, expect, it } from '@jest/globals';
import {
  BSON,
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import { EnvironmentError } from '../process/environment.ts';
import { createLogger } from '../process/logger.ts';
import { isRefusal, isUnavailable, openDatabase } from './database.ts';

/** The driver's error for connections that its monitor closed. The driver does not export the class. */
class PoolClearedOnNetworkError extends MongoNetworkError {
  override get name() {
    return 'PoolClearedOnNetworkError';
  }
}

const serverError = (code: number, ...errorLabels: string[]) =>
  new MongoServerError({ message: 'told by the server', code, errorLabels });
const systemError = (code: string, syscall = 'write') =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
const inBulk = (error: Error) => new MongoBulkWriteError(error as never, undefined as never);

describe('openDatabase', () => {
  it('acknowledges what a majority has on disk, whatever the URL says', async () => {
    const weaker = 'w=1&journal=false&readConcernLevel=local&readPreference=secondary';
    const { client, close } = openDatabase({
      url: `mongodb://127.0.0.1:1/?${weaker}`,
      name: 'test',
      prepare: async () => undefined,
      log: createLogger('test', 'silent'),
    });
    const { writeConcern, readConcern, readPreference } = client.options;
    await close();
    expect(writeConcern).toMatchObject({ w: 'majority', j: true });
    expect(readConcern).toEqual({ level: 'majority' });
    expect(readPreference.mode).toBe('primary');
  });

  it('tells a command what keeps it from being ready, and leaves a service waiting', async () => {
    const open = (prepare: Parameters<typeof openDatabase>[0]['prepare']) =>
      openDatabase({
        url: 'mongodb://127.0.0.1:1',
        name: 'test',
        prepare,
        log: createLogger('test', 'silent'),
      });
    const away = open(async (db) => void (await db.command({ ping: 1 })));
    const refused = open(() => Promise.reject(new Error('a migration is pending')));
    const refusal = expect(refused.readyAtOnce()).rejects.toThrow('a migration is pending');
    const prepared = open(async () => undefined);
    const [command] = await Promise.allSettled([away.readyAtOnce()]);
    expect(isUnavailable((command as PromiseRejectedResult).reason)).toBe(true);
    expect(await Promise.race([away.ready, 'waits'])).toBe('waits');
    await refusal;
    await prepared.readyAtOnce();
    for (const { close } of [away, refused, prepared]) await close();
  });
});

describe('a URL that the driver cannot read', () => {
  const open = (url: string) =>
    openDatabase({ url, name: 'test', prepare: async () => undefined, log: createLogger('test', 'silent') });

  it.each([
    ['no URL at all', 'mongo:27017', 'Invalid scheme'],
    ['a password that is not encoded', 'mongodb://waymark:s3cr/t@mongo', 'unescaped'],
    ['no host', 'mongodb://waymark:s3cr%2Ft@', 'MONGODB_URL'],
    ['a mistyped option', 'mongodb://mongo/?replicaset=rs0&retryWrite=true', 'retrywrite'],
  ])('is named, without its password: %s', (_, url, reason) => {
    expect(() => open(url)).toThrow(EnvironmentError);
    expect(() => open(url)).toThrow(/^MONGODB_URL: .*percent-encoded$/);
    expect(() => open(url)).toThrow(reason);
    expect(() => open(url)).not.toThrow(/s3cr/);
  });
});

describe('isUnavailable', () => {
  it.each([
    ['a connection that breaks', new MongoNetworkError('read ECONNRESET')],
    ['a connection that the monitor closed', new PoolClearedOnNetworkError('interrupted')],
    [
      'a connection that the monitor closed, under a bulk write',
      inBulk(new PoolClearedOnNetworkError('interrupted')),
    ],
    ['a socket that breaks during a write', systemError('ECONNRESET')],
    ['a socket that the other side has ended', systemError('EPIPE')],
    ['a socket that is closed', systemError('ERR_STREAM_DESTROYED')],
    ['a name of mongodb+srv that is not there', systemError('ENOTFOUND', 'querySrv')],
    ['options of mongodb+srv that no server of DNS tells', systemError('ETIMEOUT', 'queryTxt')],
    ['a socket that breaks under a bulk write', inBulk(systemError('ECONNRESET'))],
    [
      'a server that stopped before it received the command',
      new MongoUnexpectedServerResponseError('no retryable writes'),
    ],
    ['NotWritablePrimary', serverError(10107)],
    ['NotWritablePrimary under a bulk write', inBulk(serverError(10107))],
    ['ReadConcernMajorityNotAvailableYet', serverError(134)],
    ['LinearizableReadConcernError', serverError(188)],
    ['a transaction that was lost in a restart', inBulk(serverError(251))],
    [
      'a transaction that may or may not have been committed',
      serverError(0, 'UnknownTransactionCommitResult'),
    ],
    ['a cursor that was lost in a restart', serverError(43)],
    ['a cursor that a shutdown has ended', serverError(237)],
    ['a server that cannot sign cluster times yet', serverError(211)],
    ['a server that is stopping', serverError(91)],
    ['an operation that a stopping server aborts', inBulk(serverError(11600))],
    ['a primary that steps down', serverError(11602)],
    ['a server without a role yet', serverError(13436)],
    ['a write concern that takes too long', inBulk(serverError(64))],
    ['an operation that takes too long', serverError(50)],
  ])('is true for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a duplicate', serverError(11000)],
    ['a document that fails validation', inBulk(serverError(121))],
    ['a wrong argument', new MongoInvalidArgumentError('no such option')],
    ['a value that is not BSON', new BSON.BSONError('cannot serialize')],
    ['a wrong argument to the system', systemError('ERR_INVALID_ARG_TYPE')],
    ['a file that is not there', systemError('ENOENT', 'open')],
    ['a programming error', new TypeError('undefined is not a function')],
  ])('is false for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});

it.each([
  [13, true],
  [18, true],
  [11000, false],
])('isRefusal of an error with the code %i is %s', (code, expected) => {
  expect(isRefusal(serverError(code))).toBe(expected);
});
