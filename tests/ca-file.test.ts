import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, it } from '@jest/globals';
import { mintApiKey } from '@waymark/contracts';
import { testFolder } from '@waymark/testing';
import { runWith } from '../apps/cli/test/run.ts';
import { createAuthority } from './support/certificates.ts';

const folder = testFolder();
const trusted = getCACertificates('default');
afterEach(() => setDefaultCACertificates(trusted));

it('a private authority is trusted by the profile that names it, and by no other', async () => {
  const authority = await createAuthority('Private');
  const { certificate, key } = await authority.issue();
  const whoami = { workspaceId: null, keyName: 'A key', scopes: ['read'] };
  const server = createServer({ cert: certificate, key }, (_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(whoami));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { XDG_CONFIG_HOME: folder };
  const login = (...more: string[]) =>
    runWith({ env, input: Readable.from([mintApiKey()]) }, 'login', url, '--key', ...more);
  try {
    expect((await login()).errors).toEqual([expect.stringContaining('has no valid certificate')]);
    const file = join(folder, 'ca.pem');
    const wrong = await login('--ca-file', file);
    expect([wrong.code, wrong.errors]).toEqual([2, [expect.stringContaining('ca.pem has no certificates')]]);
    writeFileSync(file, authority.pem);
    expect(await login('--ca-file', file)).toMatchObject({ code: 0, errors: [] });
    setDefaultCACertificates(trusted);
    expect(await runWith({ env }, 'whoami')).toMatchObject({ code: 0, errors: [] });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
