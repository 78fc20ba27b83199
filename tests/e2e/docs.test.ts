import { describe, expect, it } from '@jest/globals';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('the pages about the API', () => {
  it('render the reference without other hosts', async () => {
    const page = await app.visit('/docs');
    await page.getByRole('heading', { name: /Waymark/, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Open Group - decisions' }).waitFor();
  });

  it('explain an error and link to the reference', async () => {
    const refused = await app.product.call('POST', '/auth/sign-in', { body: {} });
    const page = await app.visit(refused.body.docs);
    await page.getByRole('heading', { name: 'VALIDATION_ERROR', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Errors' }).click();
    await page.getByRole('link', { name: 'NOT_FOUND', exact: true }).click();
    await page.getByRole('heading', { name: 'NOT_FOUND', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { name: /Waymark/, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
  });
});
