import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect, it } from '@jest/globals';
import { freePort, localCertificate } from '@waymark/local-stack';
import { observeCertificates } from './certificates.ts';

it('reads when the certificates of the servers in URLs expire, and skips what does not answer', async () => {
  const server = createServer({ key: localCertificate.key, cert: localCertificate.localhost });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gone = await freePort();
  try {
    const found = await observeCertificates({
      PUBLIC_URL: `https://localhost:${port}/app`,
      REDIS_URL: `redis://127.0.0.1:${gone},rediss://user:secret@127.0.0.1:${port}`,
      DECISIONS_MONGODB_URL: `mongodb://user:secret@127.0.0.2:${gone},127.0.0.1:${port}/?tls=true`,
      AUDIT_MONGODB_URL: `mongodb://127.0.0.1:${gone}/?replicaSet=rs0`,
      THREADS_URL: 'not a URL',
      NATS_URL: `tls://127.0.0.1:${port}`,
    });
    const expiresAt = Date.parse('2126-10-29T17:28:20Z');
    expect(found).toEqual({ [`localhost:${port}`]: expiresAt, [`127.0.0.1:${port}`]: expiresAt });
  } finally {
    server.close();
  }
});
