import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { BASE_PATH } from '@waymark/contracts';
import type { Stack } from '@waymark/testing';
import { heldAgainst } from '../libs/testing/src/check-answer.ts';
import { startProduct } from './product.ts';

let product: Stack;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1, and the document that the answers of all tests are held against', async () => {
    const { status, text } = await product.call('GET', '/openapi.json');
    expect(status).toBe(200);
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    // But for where this one is served.
    const servers = [{ url: product.url + BASE_PATH }];
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ ...heldAgainst, servers })));
  });
});
