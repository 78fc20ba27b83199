import { describe, expect, it } from '@jest/globals';
import {
  BSON,
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import { isUnavailable } from './database.ts';

/**
 * What the driver makes of connections that its monitor gave up has a name of its own and is not exported.
 */
class PoolClearedOnNetworkError extends MongoNetworkError {
  override get name() {
    return 'PoolClearedOnNetworkError';
  }
}

const serverError = (code: number, ...errorLabels: string[]) =>
  new MongoServerError({ message: 'told by the server', code, errorLabels });
const systemError = (code: string) => Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
const inBulk = (error: Error) => new MongoBulkWriteError(error as never, undefined as never);

describe('isUnavailable', () => {
  it.each([
    ['a connection that breaks', new MongoNetworkError('read ECONNRESET')],
    ['a connection given up', new PoolClearedOnNetworkError('interrupted')],
    ['either under a bulk write', inBulk(new PoolClearedOnNetworkError('interrupted'))],
    ['a socket that breaks while it is written to', systemError('ECONNRESET')],
    ['one that the other side has ended', systemError('EPIPE')],
    ['one that is over', systemError('ERR_STREAM_DESTROYED')],
    ['a socket that breaks under a bulk write', inBulk(systemError('ECONNRESET'))],
    [
      'a server that went away before it was asked',
      new MongoUnexpectedServerResponseError('no retryable writes'),
    ],
    ['NotWritablePrimary', serverError(10107)],
    ['NotWritablePrimary under a bulk write', inBulk(serverError(10107))],
    ['ReadConcernMajorityNotAvailableYet', serverError(134)],
    ['LinearizableReadConcernError', serverError(188)],
    ['a transaction that a restart has forgotten', inBulk(serverError(251))],
    [
      'a transaction that may or may not have been committed',
      serverError(0, 'UnknownTransactionCommitResult'),
    ],
    ['a cursor that a restart has forgotten', serverError(43)],
    ['a cursor that a shutdown has ended', serverError(237)],
    ['a server that cannot sign cluster times yet', serverError(211)],
    ['a server that is stopping', serverError(91)],
    ['an operation that a stopping server breaks off', inBulk(serverError(11600))],
    ['a primary that steps down', serverError(11602)],
    ['a server without a role yet', serverError(13436)],
    ['a write concern that takes too long', inBulk(serverError(64))],
    ['an operation that takes too long', serverError(50)],
  ])('holds for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a duplicate', serverError(11000)],
    ['a document that fails validation', inBulk(serverError(121))],
    ['a wrong argument', new MongoInvalidArgumentError('no such option')],
    ['a value that is no BSON', new BSON.BSONError('cannot serialize')],
    ['a wrong argument to the system', systemError('ERR_INVALID_ARG_TYPE')],
    ['a fault of ours', new TypeError('undefined is not a function')],
  ])('does not for %s', (_, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
