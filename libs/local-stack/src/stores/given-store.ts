import { type StoreName, storeBinaries } from '../acquire/binaries.ts';
import { probe } from '../process/tcp-probe.ts';

/** A wrong address mostly refuses at once; a busy machine answers late. */
const TIMEOUT_MS = 20_000;
const DEFAULT_PORTS = { redis: 6379, nats: 4222 } as const;

/**
 * Checks that a store whose URL was given answers, and that a MongoDB supports transactions.
 * @throws Error with one line that names the variable; never the URL, which may hold a password.
 */
export async function checkGivenStore(name: StoreName, url: string): Promise<void> {
  const { urlVariable } = storeBinaries[name];
  if (name === 'mongo') return checkMongo(urlVariable, url);
  // NATS clients accept a comma-separated list, and addresses without a scheme.
  const [first = ''] = url.split(',');
  const parsed = URL.parse(first.includes('://') ? first : `nats://${first}`);
  if (parsed === null) throw new Error(`${urlVariable} is not a URL`);
  const port = Number(parsed.port || DEFAULT_PORTS[name]);
  if (!(await probe({ host: parsed.hostname, port, timeoutMs: TIMEOUT_MS })))
    throw new Error(`nothing answers at the address in ${urlVariable}`);
}

async function checkMongo(urlVariable: string, url: string): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(url, { serverSelectionTimeoutMS: TIMEOUT_MS });
  const cannot = (cause: Error) => {
    const message = `MongoDB at the address in ${urlVariable} does not answer: ${cause.name}`;
    throw new Error(message, { cause });
  };
  try {
    const hello = await client.db('admin').command({ hello: 1 }).catch(cannot);
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
      throw new Error(`${urlVariable} names a standalone MongoDB; Waymark's transactions need a replica set`);
    }
  } finally {
    await client.close();
  }
}
