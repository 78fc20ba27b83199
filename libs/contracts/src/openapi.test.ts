import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from './openapi.ts';

const document = () =>
  structuredClone(
    openApiDocument({ publicUrl: 'https://waymark.example', sessionCookie: 'waymark_session' }),
  );
const validated = async (changed: object) => {
  const validator = new Validator();
  const { valid } = await validator.validate(changed as Record<string, unknown>);
  return { valid, version: validator.version };
};

describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await validated(document())).toEqual({ valid: true, version: '3.1' });
  });

  it('is found out when it is not', async () => {
    const { info: _, ...withoutInfo } = document();
    expect((await validated(withoutInfo)).valid).toBe(false);
    const changed = document();
    Object.assign(changed.paths!['/decisions']!.get!, { parameters: [{ name: 'q', in: 'nowhere' }] });
    expect((await validated(changed)).valid).toBe(false);
  });

  it('names each operation once', () => {
    const methods = Object.values(document().paths!).flatMap((path) => Object.values(path!));
    const ids = methods.map((operation) => (operation as { operationId: string }).operationId);
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
