import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible, type Person, pressUntil, useConsole } from './support/index.ts';

const app = useConsole();
const DAY_MS = 86_400_000;
const FORECASTS = [0.05, 0.15, 0.25, 0.55, 0.65, 0.75, 0.85, 0.85, 0.95, 0.95];

/** Imports a whole workspace into another with times that lie `days` earlier. */
async function importAsOld(from: Person, to: Person, days: number): Promise<void> {
  const earlier = JSON.parse(JSON.stringify(await from.call('GET', '/export')), (name, value) =>
    name.endsWith('ed_at') ? new Date(Date.parse(value) - days * DAY_MS).toISOString() : value,
  );
  const { id } = await to.call('POST', '/imports', earlier, { query: { ids: 'remap' } });
  await eventually(async () => expect((await to.call('GET', `/imports/${id}`)).status).toBe('succeeded'));
}

it('insight explains an empty page, and creates a calendar URL that can be revoked', async () => {
  const page = await (await app.signUp()).open('insight');
  const end = page.getByRole('button', { name: 'End feed' });
  await page.getByText('No decisions to learn from yet').waitFor();
  const known = page.waitForResponse('**/v1/metrics?*');
  await page.reload();
  await known;
  expect(await end.count()).toBe(0);
  await page.getByRole('button', { name: 'New address' }).click();
  const address = (await page.getByLabel('address', { exact: true }).textContent())!;
  const statusOf = async () => (await fetch(address)).status;
  expect(await statusOf()).toBe(200);
  await checkAccessible(page);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.reload();
  await end.click();
  await page.getByRole('dialog').getByRole('button', { name: 'End feed' }).click();
  await page.getByText('The address no longer works').waitFor();
  await end.waitFor({ state: 'detached' });
  expect(await statusOf()).toBe(401);
});

it('insight shows the metric, the calibration and the queue of overdue decisions, which accepts outcomes', async () => {
  const owner = await app.signUp();
  for (const outcomeConfidence of FORECASTS) {
    const id = await owner.decide(`Forecast of ${outcomeConfidence}`, { outcomeConfidence });
    const outcome = outcomeConfidence > 0.5 ? 'success' : 'failure';
    await owner.call('PATCH', `/decisions/${id}`, { outcome });
  }
  await owner.decide('Pave the yard', { expectedBy: '2024-03-01' });
  await owner.decide('Paint the gate', { expectedBy: '2024-02-01', status: 'accepted' });

  const page = await owner.open('decisions');
  await page.getByRole('link', { name: 'Insight' }).click();
  await page.getByRole('heading', { name: 'Calibration' }).waitFor();
  await page.getByText('The workspace metric (WMS) is the share of all decisions').waitFor();
  expect(await page.locator('[data-count="wms"]').textContent()).toBe('83.3');
  expect(await page.locator('[data-count="overdue"]').textContent()).toBe('2');
  const bins = page.getByRole('table', { name: 'Forecasts and outcomes' });
  expect(await bins.getByRole('row').count()).toBe(11);
  expect(await bins.getByRole('row').last().getByRole('cell').allTextContents()).toEqual([
    '90% to 100%',
    '2',
    '95%',
    '100%',
  ]);
  expect(await page.locator('.calibration-plot .bin').count()).toBe(8);
  // The table is beside the plot, whose legend is below it.
  const plot = (await page.locator('.calibration-plot').boundingBox())!;
  const legend = (await page.getByText('As it was forecast').boundingBox())!;
  expect(legend.y).toBeGreaterThanOrEqual(plot.y + plot.height);
  expect(legend.x).toBeLessThan(plot.x + plot.width);
  expect((await bins.boundingBox())!.y).toBeLessThan(plot.y + plot.height);
  const overdue = page.getByRole('table', { name: 'Overdue decisions' });
  await overdue.getByRole('link', { name: 'Paint the gate' }).waitFor();
  expect(await overdue.getByRole('link').allTextContents()).toEqual(['Paint the gate', 'Pave the yard']);
  await checkAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await checkAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  // What is not decided has no outcome yet.
  await overdue
    .getByRole('row', { name: /Pave the yard/ })
    .getByText('Not decided yet')
    .waitFor();
  const choice = overdue.getByLabel('Outcome of Paint the gate', { exact: true });
  const log = overdue.getByRole('button', { name: 'Log outcome of Paint the gate' });
  expect([await choice.inputValue(), await log.isDisabled()]).toEqual(['', true]);
  await choice.selectOption('partial');
  await log.click();
  await overdue.getByText('Paint the gate').waitFor({ state: 'detached' });
  await page.locator('[data-count="overdue"]', { hasText: '1' }).waitFor();
  await overdue.getByRole('link', { name: 'Pave the yard' }).click();
  await page.waitForURL(`**/w/${owner.workspaceId}/decisions/*`);
});

it('insight draws the metric by week, with its numbers as a table', async () => {
  const source = await app.signUp();
  const id = await source.decide('Dredge the harbour');
  await source.call('PATCH', `/decisions/${id}`, { outcome: 'success' });
  const owner = await app.signUp();
  await importAsOld(source, owner, 30);
  await owner.decide('Mark the reef');

  const page = await owner.open('insight');
  await page.getByRole('img', { name: /^Workspace metric over time/ }).waitFor();
  // The last point is the running week; under the pointer are the values of another week.
  const plot = page.locator('.trend-plot');
  await plot.getByText('Running week: 50, 1 of 2 decisions').waitFor();
  await plot.hover({ position: { x: 40, y: 100 } });
  await plot.getByText(/^\w+ \w+: 100, 1 of 1 decision$/).waitFor();
  await page.mouse.move(0, 0);
  await plot.getByText(/^Running week/).waitFor();
  // The last point has its day, too.
  expect(await page.locator('.trend-plot g:last-child > text').count()).toBe(1);
  await page.getByText('The numbers of each week').click();
  const numbers = page.getByRole('table', { name: 'Workspace metric by week' });
  const rows = (await numbers.getByRole('row').allTextContents()).slice(1);
  expect(rows[0]).toBe('Now5021');
  // Thirty days contain four Mondays or five.
  expect(rows.slice(1).map((row) => row.slice(-5))).toEqual(rows.slice(1).map(() => '10011'));
  expect([4, 5]).toContain(rows.length - 1);
  await Promise.all([
    page.waitForResponse(/[?&]weeks=52(&|$)/),
    page.getByLabel('Period').selectOption('A year'),
  ]);
  await checkAccessible(page);
});

it('insight compares forecasters, and the scores with success, in words, also by keyboard on a phone', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const grace = await owner.addMember('member', 'Grace Hopper');
  const options = ['Stone', 'Brick', 'Timber'].map((title) => ({ title, pros: ['Lasts'], cons: ['Costs'] }));
  const thorough = {
    ...{
      description: 'The old tower leans. '.repeat(12),
      rationale: 'Stone lasts, Brick is cheap. '.repeat(12),
    },
    ...{ optionsConsidered: options, criteria: ['Price', 'Age'], resolution: 'Stone', tags: ['tower'] },
    ...{ decidedBy: 'Ada', expectedBy: '2030-01-01', decisionType: 'building' },
  };
  for (let at = 0; at < 20; at += 1) {
    const isGood = at < 10;
    const id = await owner.decide('What is the tower built of?', isGood ? thorough : {});
    await owner.call('PUT', `/decisions/${id}/forecast`, { probability: isGood ? 0.8 : 0.2 });
    if (at < 9) await grace.call('PUT', `/decisions/${id}/forecast`, { probability: 1 });
    await owner.call('PATCH', `/decisions/${id}`, { outcome: isGood ? 'success' : 'failure' });
  }
  const page = await owner.open('insight', { width: 390, height: 844 });
  const rowsOf = (name: string) => page.getByRole('table', { name }).locator('tbody tr').allTextContents();
  const verdict = page.getByText('A higher score went with success here.');
  await verdict.waitFor();
  expect(await verdict.textContent()).toBe(
    'A higher score went with success here. ' +
      'Of 10 decisions with a high score 100% succeeded, of 10 with a low one 0%. ' +
      'The difference is +100 percentage points (95% interval: +60.8 to +100).',
  );
  expect(await rowsOf('Success by quality score')).toEqual([
    'low: below 40100%0% to 28%',
    'middle: 40 to below 700not enough cases yet (0 of 10)',
    'high: from 7010100%72% to 100%',
  ]);
  expect(await rowsOf('Forecasts and outcomes by person or agent')).toEqual([
    'All together200.0280.8780.0280.226',
    'Ada Lovelace200.0400.8400.0400.250',
    'Grace Hopper9not enough cases yet (9 of 10)',
  ]);
  expect(await rowsOf('Forecasts and outcomes by tag')).toEqual(['tower100.021–0.0210.000']);
  await page.getByRole('heading', { name: 'Tag', exact: true }).waitFor();
  await checkAccessible(page);

  // Everything on the page is reached with Tab, in view, and no wider than the screen.
  const skill = page.locator('summary', { hasText: 'Skill' });
  await pressUntil('Tab', skill.and(page.locator(':focus')));
  await page.keyboard.press('Enter');
  await page.getByText('How much better the Brier score is').waitFor();
  await pressUntil(
    'Tab',
    page.getByRole('link', { name: 'How the score is compared' }).and(page.locator(':focus')),
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await checkAccessible(page);

  const german = await owner.open('insight', { locale: 'de-DE' });
  await german.getByText('Ein höherer Wert ging hier mit Erfolg einher.').waitFor();
  await german.getByText('noch nicht genug Fälle (9 von 10)').waitFor();
});
