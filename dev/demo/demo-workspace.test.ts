import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { callsOf } from '../api.ts';
import { importFile } from './demo-workspace.ts';

test('an import that no longer moves is given up, and one that moves is not', async () => {
  let polls = 0;
  const jobs = createServer((_request, response) => {
    polls += 1;
    response.end(
      JSON.stringify({ id: 'a', status: 'running', finished_at: null, imported: Math.min(polls, 5) }),
    );
  });
  await once(jobs.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = `http://127.0.0.1:${(jobs.address() as AddressInfo).port}`;
    const importing = importFile('w', callsOf(url, {}), {} as never, 150);
    await expect(importing).rejects.toThrow('the import of its past has not moved for 0.15 seconds');
    expect(polls).toBeGreaterThan(5);
  } finally {
    jobs.closeAllConnections();
    jobs.close();
  }
});
