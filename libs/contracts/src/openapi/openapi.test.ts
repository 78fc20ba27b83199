import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { z } from 'zod';
import { operationList } from '../operations/index.ts';
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

  it('fails this check when it is not valid', async () => {
    const { info: _, ...withoutInfo } = document();
    expect((await validated(withoutInfo)).valid).toBe(false);
    const changed = document();
    Object.assign(changed.paths!['/decisions']!.get!, { parameters: [{ name: 'q', in: 'nowhere' }] });
    expect((await validated(changed)).valid).toBe(false);
  });

  it('lists Idempotency-Key for operations that change something, but not for the scoring of a draft', () => {
    const { paths } = document();
    const named = (path: string) => JSON.stringify(paths![path]!.post!.parameters ?? []);
    expect(named('/decisions')).toContain('Idempotency-Key');
    expect(named('/quality')).not.toContain('Idempotency-Key');
  });

  it('has an example of each body, which the body’s schema accepts', () => {
    const { paths = {}, components } = JSON.parse(JSON.stringify(document()));
    const refused: unknown[] = [];
    const check = (id: string, schema: z.ZodType, media: { example?: unknown; examples?: object }) => {
      const [shared] = Object.keys(media.examples ?? {});
      const { success, error } = schema.safeParse(shared ? components.examples[shared].value : media.example);
      if (!success) refused.push([id, error.issues]);
    };
    for (const { id, path, method, body, response } of operationList) {
      const { requestBody, responses } = paths[path][method.toLowerCase()];
      if (body) check(id, body, requestBody.content['application/json']);
      if (response.schema && !response.contentType)
        check(id, response.schema, responses[response.status].content['application/json']);
    }
    expect(refused).toEqual([]);
  });

  it('names each operation once', () => {
    const methods = Object.values(document().paths!).flatMap((path) => Object.values(path!));
    const ids = methods.map((operation) => (operation as { operationId: string }).operationId);
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
