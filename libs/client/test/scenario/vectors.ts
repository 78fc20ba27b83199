import { readFileSync } from 'node:fs';
import { verifyWebhook } from '../../src/index.ts';

interface Vector {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  now: number;
  tolerance_seconds: number;
  fault: string | null;
  id?: string;
}

/** Verifies each request of a file of vectors. Returns what differs, or null. */
export function checkVectors(file: string): string | null {
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
  const wrong = vectors.flatMap((vector) => {
    const found = verified(vector);
    const expected = vector.fault ?? vector.id;
    return found === expected ? [] : [`${vector.name}: ${found}, not ${expected}`];
  });
  return wrong.length === 0 ? null : wrong.join('; ');
}

function verified({ body, headers, secret, now, tolerance_seconds }: Vector): string {
  const options = { now: () => now * 1_000, toleranceSeconds: tolerance_seconds };
  try {
    return verifyWebhook(body, headers, secret, options).id;
  } catch (error) {
    return error instanceof TypeError ? 'unusable_secret' : (error as { fault: string }).fault;
  }
}
