import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { z } from 'zod';
import { subscribableEventTypes } from '../events/webhook-settings.ts';
import { operationList } from '../operations/index.ts';
import { recordOf } from '../schema/body.ts';
import { openApiDocument } from './openapi.ts';

const document = () =>
  structuredClone(
    openApiDocument({ publicUrl: 'https://waymark.example', sessionCookie: 'waymark_session' }),
  );
describe('openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid } = await validator.validate(document() as unknown as Record<string, unknown>);
    expect([valid, validator.version]).toEqual([true, '3.1']);
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
    const check = (
      id: string,
      schema: z.ZodType,
      media: { schema: { $ref?: string; examples?: unknown[] } },
    ) => {
      const named = components.schemas[media.schema.$ref?.split('/').at(-1) ?? ''];
      const { success, error } = schema.safeParse((named ?? media.schema).examples?.[0]);
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

  it('declares on every operation that headers can be too large, and each header where it is sent', () => {
    const { paths = {} } = JSON.parse(JSON.stringify(document()));
    const missing = operationList.filter(
      ({ path, method }) => !paths[path][method.toLowerCase()].responses['431'],
    );
    expect(missing).toEqual([]);
    const sent = (path: string, method: string, status: number) =>
      Object.keys(paths[path][method].responses[status].headers).filter(
        (name) => !/^(X-|RateLimit)/.test(name),
      );
    expect(sent('/decisions', 'post', 201)).toEqual(['ETag', 'Location', 'Idempotency-Replayed']);
    expect(sent('/decisions/by-external-id/{externalId}', 'put', 200)).not.toContain('Location');
    expect(sent('/decisions/{id}', 'get', 304)).toEqual(['ETag']);
    expect(sent('/decisions/{id}', 'delete', 204)).toEqual([]);
    expect(sent('/nodes/{id}', 'delete', 200)).toEqual([]);
    expect(sent('/decisions', 'get', 200)).toEqual(['Link']);
    expect(sent('/auth/sign-in', 'post', 200)).toEqual(['Set-Cookie']);
    expect(sent('/auth/oidc/start', 'get', 302)).toEqual(['Location', 'Set-Cookie']);
    expect(sent('/export', 'get', 200)).toEqual(['Content-Disposition']);
  });

  it('has only schemas that generators of clients read as types', () => {
    const { components } = JSON.parse(JSON.stringify(document()));
    expect(JSON.stringify(components)).not.toContain('patternProperties');
    const mixed = Object.entries<object>(components.schemas).filter(
      ([, schema]) => 'properties' in schema && ('anyOf' in schema || 'oneOf' in schema),
    );
    expect(mixed.map(([name]) => name)).toEqual([]);
    const all = JSON.stringify(document());
    expect(components.schemas.DecisionCreate.properties.resolution.type).toEqual(['string', 'null']);
    expect(components.schemas.Decision.properties.options_considered.items.oneOf).toHaveLength(2);
    expect(all).not.toMatch(/"format":"cidr/);
    expect(all).not.toContain(String.raw`\\/`);
  });

  it('has no name twice where generators write a file for each tag and types for each operation', () => {
    const { components, paths, webhooks } = JSON.parse(JSON.stringify(document()));
    const tagsOf = (items: object) =>
      Object.values(items).flatMap((item) =>
        Object.values<{ tags: string[] }>(item).flatMap(({ tags }) => tags),
      );
    const ofPaths = new Set(tagsOf(paths));
    expect(tagsOf(webhooks).filter((tag) => ofPaths.has(tag))).toEqual([]);
    const ids = operationList.map(({ id }) => id.charAt(0).toUpperCase() + id.slice(1));
    const own = ['Result', 'Response', 'Responses', 'Request', 'Params', 'Body', 'Data', 'Error', 'Errors'];
    const made = new Set(ids.flatMap((id) => own.map((suffix) => id + suffix)));
    expect(Object.keys(components.schemas).filter((name) => made.has(name))).toEqual([]);
  });

  it('says of each schema, parameter and field of a body what it is, and gives each schema an example', () => {
    const { components, paths } = JSON.parse(JSON.stringify(document()));
    const silent = Object.entries<z.core.JSONSchema.BaseSchema>(components.schemas)
      .filter(([, { description, examples }]) => !description || examples?.length !== 1)
      .map(([name]) => name);
    for (const { id, path, method } of operationList) {
      const { parameters = [] } = paths[path][method.toLowerCase()];
      for (const { name, description } of parameters) if (!description) silent.push(`${id} ${name}`);
    }
    const seen = new Set<string>();
    const visit = (value: object, where: string): void => {
      const { $ref, properties = {} } = value as { $ref?: string; properties?: Record<string, object> };
      for (const [field, schema] of Object.entries<{ $ref?: string; description?: string }>(properties)) {
        const isNamed = schema.$ref || schema.description?.replace(/By default \S+\.$/, '');
        if (!isNamed) silent.push(`${where} ${field}`);
      }
      for (const part of Object.values(value)) if (part && typeof part === 'object') visit(part, where);
      const name = $ref?.split('/').at(-1);
      if (!name || seen.has(name)) return;
      seen.add(name);
      visit(components.schemas[name], name);
    };
    for (const { id, path, method } of operationList)
      visit(paths[path][method.toLowerCase()].requestBody ?? {}, id);
    expect(silent).toEqual([]);
  });

  it('says which API keys may call an operation that not all may call', () => {
    const { paths } = JSON.parse(JSON.stringify(document()));
    for (const { id, caller, path, method } of operationList) {
      const { description } = paths[path][method.toLowerCase()];
      expect([id, description.includes('API keys: ')]).toEqual([id, caller.startsWith('session')]);
    }
  });

  it('has lists and booleans in queries, one set of time filters, and former names as deprecated', () => {
    const { paths } = JSON.parse(JSON.stringify(document()));
    const named = (path: string, name: string) =>
      paths[path].get.parameters.find((parameter: { name: string }) => parameter.name === name);
    expect(named('/decisions', 'status')).toMatchObject({
      ...{ style: 'form', explode: false },
      schema: { type: 'array', items: { enum: expect.arrayContaining(['accepted']) } },
    });
    expect(named('/decisions', 'overdue').schema.type).toBe('boolean');
    expect(named('/decisions', 'type')).toMatchObject({ deprecated: true });
    const all = operationList.flatMap(({ query }) => Object.entries(recordOf(query)?.shape ?? {}));
    const current = all.filter(([, schema]) => !(schema as z.ZodType).meta()?.deprecated);
    const times = current.map(([name]) => name).filter((name) => /^(from|to|since|until)$|Since$/.test(name));
    expect(times).toEqual([]);
  });

  it('declares Location for every new record that can be read', () => {
    const shapeOf = (path: string) => path.replace(/\{[^}]+\}/g, '{}');
    const readable = new Set(
      operationList.filter(({ method }) => method === 'GET').map(({ path }) => shapeOf(path)),
    );
    const created = operationList.filter(({ response }) => response.status === 201 || response.orCreated);
    const wrong = created.filter(({ path, response }) => {
      const base = shapeOf(path.replace(/\/by-external-id\/.*/, ''));
      const expected = [`${base}/{}`, `${base}/messages/{}`].find((one) => readable.has(one));
      return (response.location && shapeOf(response.location)) !== expected;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('states the limits of request bodies', () => {
    const { paths = {}, components, tags, webhooks } = JSON.parse(JSON.stringify(document()));
    const { DecisionCreate, ApiKeyCreate, NodeCreate, SignUp } = components.schemas;
    expect(DecisionCreate.properties.tags).toMatchObject({ uniqueItems: true, maxItems: 50 });
    expect(DecisionCreate.properties.expectedBy).toMatchObject({ type: ['string', 'null'] });
    expect(ApiKeyCreate.properties.allowedIps.items.anyOf.every((each: object) => 'pattern' in each)).toBe(
      true,
    );
    expect(NodeCreate.properties.positionX).toMatchObject({ minimum: -(2 ** 53) + 1, maximum: 2 ** 53 - 1 });
    expect(SignUp.properties.email).toMatchObject({
      format: 'email',
      maxLength: 254,
      pattern: expect.any(String),
    });
    expect(paths['/decisions/{id}'].patch.requestBody.required).toBe(false);
    expect(paths['/decisions'].post.requestBody.required).toBe(true);
    expect(components.schemas.RateLimitUse.properties.workspace.properties).toHaveProperty('export');
    const used = Object.values({ ...paths, ...webhooks }).flatMap((path) =>
      Object.values(path as Record<string, { tags: string[] }>).flatMap((operation) => operation.tags),
    );
    expect(new Set(tags.map(({ name }: { name: string }) => name))).toEqual(new Set(used));
    expect(Object.keys(webhooks).sort()).toEqual([...subscribableEventTypes].sort());
  });
});
