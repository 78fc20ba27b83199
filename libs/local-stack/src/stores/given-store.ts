import { type StoreName, storeBinaries } from '../acquire/binaries.ts';
import { probe } from '../process/tcp-probe.ts';

const TIMEOUT_MS = 5_000;
const DEFAULT_PORTS = { redis: 6379, nats: 4222 } as const;

/**
 * Checks that a store whose URL was given answers, and that a MongoDB supports transactions.
 * @throws Error with one line that names the variable; never the URL, which may hold a password.
 */
export async function checkGivenStore(name: StoreName, url: string): Promise<void> {
  const { urlVariable } = storeBinaries[name];
  if (name === 'mongo') return checkMongo(urlVariable, url);
  const { hostname, port } = parse(urlVariable, url);
  const answers = await probe({ host: hostname, port: Number(port || DEFAULT_PORTS[name]) });
  if (!answers) throw new Error(`nothing answers at the address in ${urlVariable}`);
}

/** Parses the first URL of a comma-separated list, which NATS clients accept. */
function parse(urlVariable: string, urls: string): URL {
  const [first = ''] = urls.split(',');
  const url = URL.parse(first.includes('://') ? first : `nats://${first}`);
  if (url === null) throw new Error(`${urlVariable} is not a URL`);
  return url;
}

async function checkMongo(urlVariable: string, url: string): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const cannot = (error: Error) => {
    throw new Error(`MongoDB at the address in ${urlVariable} does not answer: ${error.name}`, {
      cause: error,
    });
  };
  const client = new MongoClient(url, { serverSelectionTimeoutMS: TIMEOUT_MS });
  try {
    const hello = await client.db('admin').command({ hello: 1 }).catch(cannot);
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
      throw new Error(`${urlVariable} names a standalone MongoDB; Waymark's transactions need a replica set`);
    }
  } finally {
    await client.close();
  }
}
