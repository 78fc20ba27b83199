/// <reference lib="dom" />
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();
const PHONE = { width: 360, height: 740 };

describe('on a phone', () => {
  it('shows the rows of lists as cards, with the outcome and the role in words', async () => {
    const { workspaceId, key, cookie } = await app.product.workspace();
    const body = { workspaceId, title: 'Keep the lamp', tags: ['light'], outcome: 'failure' };
    await app.product.call('POST', '/decisions', { key, body });
    const page = await app.visit(`/w/${workspaceId}/decisions`, { cookie, ...PHONE });
    await page.getByRole('link', { name: 'Keep the lamp' }).waitFor();
    const isInView = async (name: string) => {
      const box = (await page.getByRole('row').getByText(name, { exact: true }).boundingBox())!;
      return box.x >= 0 && box.x + box.width <= PHONE.width;
    };
    await page.getByRole('row').getByText('test key').waitFor();
    expect(await isInView('failure')).toBe(true);
    expect(await isInView('test key')).toBe(true);
    const label = await page
      .locator('td', { hasText: 'failure' })
      .evaluate((cell) => getComputedStyle(cell, '::before').content);
    expect(label).toContain('Outcome');
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Sort by').selectOption('Title');
    await page.waitForURL('**/decisions?sort=title');

    const person = await app.product.signUp('Grace Hopper');
    await app.product.addMember({ workspaceId, cookie }, person, 'viewer');
    await page.goto(`/w/${workspaceId}/settings/members`);
    const role = page.getByLabel('Role of Grace Hopper');
    await role.waitFor();
    // The select is as wide as its card, so that its words fit.
    const select = (await role.boundingBox())!;
    expect(select.width).toBeGreaterThanOrEqual(240);
    expect(select.x + select.width).toBeLessThan(PHONE.width);
    await checkAccessible(page);
    await page.goto(`/w/${workspaceId}/audit`);
    await page
      .getByRole('button', { name: /^Details of entry/ })
      .first()
      .click();
    await checkAccessible(page);
  });

  it('asks for a decision in one line, and for more in steps, with the score in view', async () => {
    const { workspaceId, cookie } = await app.product.signUp();
    const page = await app.visit(`/w/${workspaceId}/decisions/new`, { cookie, ...PHONE });
    await page.getByLabel('Title').and(page.locator(':focus')).waitFor();
    const height = () => page.evaluate(() => document.querySelector('form')!.scrollHeight);
    expect(await height()).toBeLessThan(400);
    const add = page.getByRole('group', { name: 'Add', exact: true });
    await add.getByRole('button', { name: 'Context' }).click();
    await page.getByText('Step 2 of 2: Context').waitFor();
    await page.getByLabel('Question').fill('Do we keep the lamp of the old lighthouse?');
    await eventually(async () => {
      const score = page.getByText(/^Score [1-9]/);
      expect((await score.boundingBox())!.y).toBeLessThan(PHONE.height);
    });
    await checkAccessible(page);
    for (const [at, step] of ['Options and criteria', 'Resolution and reasons', 'Forecast'].entries()) {
      await add.getByRole('button', { name: step }).click();
      await page.getByText(`Step ${at + 3} of ${at + 3}: ${step}`).waitFor();
      await page.getByText(/^Score [1-9]/).waitFor();
      expect(await height()).toBeLessThan(1_200);
    }
    await page.getByLabel('Forecast of success').fill('200');
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('Step 4 of 5: Resolution and reasons').waitFor();
    await page.getByRole('button', { name: 'Log decision' }).click();
    // A field in error shows its step.
    await page.getByText('A number from 0 to 100').waitFor();
    await page.getByLabel('Forecast of success').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Forecast of success').fill('80');
    await page.getByRole('button', { name: 'Log decision' }).click();
    await page.getByRole('heading', { name: 'Do we keep the lamp of the old lighthouse?' }).waitFor();
  });
});
