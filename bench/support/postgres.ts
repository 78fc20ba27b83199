import { execFile } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ManagedProcess, startProcess } from '@waymark/local-stack';

const run = promisify(execFile);

export interface Postgres {
  /** Path of the Unix socket. */
  socket: string;
  process: ManagedProcess;
}

/**
 * Starts a PostgreSQL with its data below `directory`, or returns null if PostgreSQL is not installed. The
 * settings suit searches; `changed` overrides them.
 */
export async function startPostgres(
  directory: string,
  changed: Readonly<Record<string, string>> = {},
): Promise<Postgres | null> {
  const found = await run('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1']).catch(
    () => null,
  );
  const bin = found?.stdout.trim();
  if (!bin) return null;
  const home = join(directory, 'postgres');
  await mkdir(home);
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const [command = '', ...prefix] = isRoot
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--']
    : ['env'];
  if (isRoot) {
    await chmod(directory, 0o755);
    await run('chown', ['postgres:postgres', home]);
  }
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
  const initdb = [join(bin, 'initdb'), '-D', join(home, 'data'), ...options];
  await run(command, [...prefix, ...initdb], { cwd: '/' });
  const settings = {
    listen_addresses: '',
    unix_socket_directories: home,
    shared_buffers: '1GB',
    work_mem: '64MB',
    maintenance_work_mem: '512MB',
    effective_cache_size: '4GB',
    random_page_cost: '1.1',
    synchronous_commit: 'off',
    max_wal_size: '4GB',
    plan_cache_mode: 'force_custom_plan',
    ...changed,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const socket = join(home, '.s.PGSQL.5432');
  const started = await startProcess({
    name: 'postgres',
    command,
    args: [...prefix, join(bin, 'postgres'), '-D', join(home, 'data'), ...flags],
    cwd: '/',
    logFile: join(directory, 'postgres.log'),
    isReady: () =>
      connectPostgres(socket).then(
        (connection) => {
          connection.close();
          return true;
        },
        () => false,
      ),
  });
  return { socket, process: started };
}

export interface PostgresConnection {
  /** Runs statements without parameters, separated by semicolons. Returns the rows of all of them. */
  query(sql: string): Promise<string[][]>;
  close(): void;
}

/** Returns a text as a literal of SQL. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A minimal client of PostgreSQL's protocol 3.0 in text format, one query at a time. */
export async function connectPostgres(path: string): Promise<PostgresConnection> {
  const socket: Socket = createConnection(path);
  let buffer: Buffer = Buffer.alloc(0);
  let rows: string[][] = [];
  let failure: Error | null = null;
  let settle: { resolve: (rows: string[][]) => void; reject: (error: Error) => void } | null = null;

  const text = (value: string) => Buffer.from(`${value}\0`);
  const int32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
  };

  function rowOf(body: Buffer): string[] {
    const row: string[] = [];
    let at = 2;
    for (let i = body.readInt16BE(0); i > 0; i -= 1) {
      const length = body.readInt32BE(at);
      at += 4;
      row.push(length < 0 ? '' : body.toString('utf8', at, at + length));
      at += Math.max(0, length);
    }
    return row;
  }

  function receive(type: string, body: Buffer): void {
    if (type === 'D') rows.push(rowOf(body));
    if (type === 'E') failure = new Error(`PostgreSQL: ${body.toString('utf8').split('\0').join(' ')}`);
    if (type !== 'Z') return;
    const done = settle;
    settle = null;
    if (failure) done?.reject(failure);
    else done?.resolve(rows);
  }

  socket.on('data', (chunk: Buffer) => {
    buffer = buffer.length > 0 ? Buffer.concat([buffer, chunk]) : chunk;
    while (buffer.length >= 5 && buffer.length >= 1 + buffer.readInt32BE(1)) {
      const end = 1 + buffer.readInt32BE(1);
      receive(String.fromCharCode(buffer[0]!), buffer.subarray(5, end));
      buffer = buffer.subarray(end);
    }
  });
  const broken = (error: Error) => settle?.reject(error);
  socket.on('error', broken);
  socket.on('close', () => broken(new Error('PostgreSQL closed the connection')));

  function send(bytes: Buffer): Promise<string[][]> {
    rows = [];
    failure = null;
    return new Promise((resolve, reject) => {
      settle = { resolve, reject };
      socket.write(bytes);
    });
  }

  const startup = Buffer.concat([
    int32(196_608),
    text('user'),
    text('postgres'),
    text('database'),
    text('postgres\0'),
  ]);
  await send(Buffer.concat([int32(startup.length + 4), startup]));

  return {
    query: (sql) => send(message('Q', text(sql))),
    close: () => socket.destroy(),
  };
}
