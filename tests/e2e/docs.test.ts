/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

describe('the pages about the API', () => {
  it('describe every operation by resource, in the console’s shell, and load the panel that sends requests on demand', async () => {
    const page = await app.visit('/docs');
    await page.getByRole('heading', { name: /Waymark/, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    const operation = page.locator('#createWebhook');
    await operation.getByText('POST').click();
    await operation.getByRole('heading', { name: /^Body/ }).waitFor();
    await operation.getByRole('link', { name: '400 VALIDATION_ERROR' }).waitFor();
    await checkAccessible(page);
    const loaded = await page.evaluate(() =>
      performance
        .getEntries()
        .reduce((sum, entry) => sum + ((entry as PerformanceResourceTiming).decodedBodySize ?? 0), 0),
    );
    expect(loaded).toBeLessThan(300_000);
    await page.getByRole('link', { name: 'Try requests' }).click();
    await page.getByRole('button', { name: 'Open Group - decisions' }).waitFor();
    await page.goto('/docs');
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
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
