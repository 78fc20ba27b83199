import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { BASE_PATH } from '@waymark/contracts';
import { version } from '@waymark/service-kit/process';
import { openApi } from '../libs/testing/src/http/check-answer.ts';
import { joinProduct } from './support/join-product.ts';

const product = joinProduct();

describe('GET /openapi.json', () => {
  it('is valid OpenAPI 3.1 and the document that validates the answers in all tests', async () => {
    const { status, text } = await product.call('GET', '/openapi.json');
    expect(status).toBe(200);
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    // Only the server URL and the build differ.
    const info = { ...openApi.info, 'x-build': version };
    const servers = [{ url: product.url + BASE_PATH }];
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ ...openApi, servers, info })));
  });
});
