import { expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { checkAccessible, openMore, useConsole } from './support/index.ts';

const app = useConsole();

it('the page of a decision shows the decision, accepts an outcome and keeps earlier versions', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Keep the keeper on the island', {
    description: 'He knows **every** rock.',
    optionsConsidered: ['Keep him', { title: 'A machine', pros: ['Cheap'], cons: ['Rusts'] }],
    criteria: ['Safety'],
    outcomeConfidence: 0.7,
    expectedBy: '2020-01-31',
    status: 'accepted',
  });
  const page = await owner.open(`decisions/${id}`);
  await page.locator('strong', { hasText: 'every' }).waitFor();
  await page.getByText('overdue').waitFor();
  await page.getByText('70%').waitFor();
  await page.getByText('Rusts').waitFor();
  await page.getByText(/^\d+ more$/).click();
  await page.getByText('Tag the decision.').waitFor();
  await page.getByText('No other decision is linked to this one').waitFor();
  await checkAccessible(page);

  await page.getByRole('button', { name: 'Log outcome' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log the outcome' });
  expect(await dialog.getByLabel('Outcome').inputValue()).toBe('');
  await dialog.getByLabel('Notes: what happened').fill('He fell asleep **twice**');
  await dialog.getByRole('button', { name: 'Log outcome' }).click();
  await page.locator('select[required]:invalid:focus').waitFor();
  await dialog.getByLabel('Outcome').selectOption('partial');
  await checkAccessible(page);
  await dialog.getByRole('button', { name: 'Log outcome' }).click();
  await page.getByText('The outcome is logged').waitFor();
  await page.getByText('overdue').waitFor({ state: 'detached' });
  await page.locator('strong', { hasText: 'twice' }).waitFor();
  expect(await page.getByText('He fell asleep').count()).toBe(1);
  await page.getByRole('button', { name: 'Before and after of version 2' }).click();
  const changes = page.getByRole('table', { name: 'Before and after of version 2' });
  await changes.getByText('pending').waitFor();
  await changes.getByText('He fell asleep **twice**').waitFor();
  await checkAccessible(page);

  await page.getByRole('button', { name: 'Log outcome' }).click();
  await dialog.getByLabel('Outcome').selectOption('pending');
  await dialog.getByRole('button', { name: 'Log outcome' }).click();
  const outcomes = page.getByRole('region', { name: 'Outcomes' });
  await outcomes.getByText('pending').waitFor();
  await outcomes.getByText('partial').waitFor();
  await page.getByText('overdue').waitFor();
});

it('the page of a decision says when it was created and changed, and offers to accept it, and then to log its outcome', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Burn coal');
  const page = await owner.open(`decisions/${id}`);
  const log = page.getByRole('button', { name: 'Log outcome' });
  const accept = page.getByRole('button', { name: 'Accept' });
  await page.getByText('Created just now', { exact: true }).waitFor();
  await accept.waitFor();
  expect(await log.count()).toBe(0);
  const { updated_at } = await owner.call('PATCH', `/decisions/${id}`, { title: 'Burn gas' });
  await page.getByText(/^Created .+, changed just now$/).waitFor();
  const changed = page.getByRole('region', { name: 'Facts' }).locator(`time[datetime="${updated_at}"]`);
  expect(await changed.getAttribute('title')).toMatch(/^\w+day, .*\d{4}/);

  await accept.click();
  await page.getByText('The decision is accepted').waitFor();
  await log.waitFor();
  expect(await accept.count()).toBe(0);
  const fromAbove = [
    page.getByRole('link', { name: 'All decisions' }),
    page.getByRole('heading', { name: 'Burn gas', level: 1 }),
    page.getByText('accepted', { exact: true }),
    page.getByRole('heading', { name: 'Facts' }),
  ];
  const tops = await Promise.all(fromAbove.map(async (part) => (await part.boundingBox())!.y));
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));

  await log.click();
  const dialog = page.getByRole('dialog', { name: 'Log the outcome' });
  await dialog.getByLabel('Outcome').selectOption('success');
  await dialog.getByLabel('Confidence in hindsight').fill('140');
  await dialog.getByRole('button', { name: 'Log outcome' }).click();
  await dialog.getByText('A number from 0 to 100').waitFor();
  await dialog.getByLabel('Confidence in hindsight').fill('40');
  await dialog.getByRole('button', { name: 'Log outcome' }).click();
  await page.getByText('Confidence afterwards').waitFor();
  await page.getByText('40%').waitFor();

  // A program may log the outcome of what is only proposed.
  await owner.call('PATCH', `/decisions/${id}`, { status: 'proposed' });
  await page.reload();
  await page.getByText('proposed', { exact: true }).waitFor();
  await log.waitFor();
});

it('the page of a decision links a replaced decision to its successor, and deletes it after confirmation', async () => {
  const owner = await app.signUp();
  const page = await owner.open(`decisions/${await owner.decide('Burn coal')}`);
  await openMore(page);
  await page.getByRole('link', { name: 'Replace' }).click();
  await page.getByText('It will take the place of').waitFor();
  await page.getByLabel('Title').fill('Burn oil');
  await page.getByRole('button', { name: 'Log decision' }).click();
  await page.getByRole('heading', { name: 'Burn oil', level: 1 }).waitFor();
  const links = page.getByRole('region', { name: 'Links' });
  await links.getByRole('link', { name: 'Burn coal' }).waitFor();
  expect(await links.getByRole('listitem').allTextContents()).toEqual([
    expect.stringContaining('Burn oil'),
    expect.stringContaining('Burn coal'),
  ]);
  await checkAccessible(page);
  await links.getByRole('link', { name: 'Burn coal' }).click();
  await page.getByRole('heading', { name: 'Burn coal', level: 1 }).waitFor();
  await links.getByRole('link', { name: 'Burn oil' }).waitFor();

  await openMore(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await openMore(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The decision is deleted').waitFor();
  await page.getByRole('link', { name: 'Burn oil' }).waitFor();
  expect(await page.getByRole('link', { name: 'Burn coal' }).count()).toBe(0);
});

it('the page of a decision asks once for a decision that does not exist', async () => {
  const owner = await app.signUp();
  const page = await app.visit('/waymark.svg', owner);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const missing = crypto.randomUUID();
  // The page's code arrives after the answer: the shell opens the stream meanwhile.
  const stream = page.waitForResponse('**/v1/events?*');
  await page.route('**/assets/decision-*.js', async (route) => {
    await stream;
    await route.continue();
  });
  await page.goto(`/w/${owner.workspaceId}/decisions/${missing}`);
  await page.getByText('This was not found').waitFor();
  expect(asked.filter((path) => path === `/v1/decisions/${missing}`)).toHaveLength(1);
  // Another try would get the same answer.
  const alert = page.getByRole('alert');
  await alert.getByRole('link', { name: 'Decisions' }).waitFor();
  expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await checkAccessible(page);
  await alert.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await alert.getByRole('link', { name: 'Decisions' }).click();
  await page.waitForURL(`**/w/${owner.workspaceId}/decisions`);
});

it('shows the later outcomes and versions of a decision when asked for', async () => {
  const owner = await app.signUp();
  const id = await owner.decide('Log it often');
  const outcomes = Array.from({ length: 22 }, (_, n) => (n % 2 ? 'failure' : 'success'));
  for (const outcome of outcomes) await owner.call('PATCH', `/decisions/${id}`, { outcome });
  const page = await app.visit(`/w/${owner.workspaceId}/decisions/${id}`, owner);
  const logged = page.getByRole('region', { name: 'Outcomes' });
  await logged.getByRole('button', { name: 'Show more' }).click();
  await eventually(async () => (await logged.getByText(/^(success|failure)$/).count()) === 22);
  expect(await logged.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  await page.getByRole('region', { name: 'History' }).getByRole('button', { name: 'Show more' }).click();
  await page.getByText('Version 1', { exact: true }).waitFor();
});

it('several people forecast a decision, each without seeing the others first if the workspace wants', async () => {
  const owner = await app.signUp('Ada Lovelace');
  const grace = await owner.addMember('member', 'Grace Hopper');
  const viewer = await owner.addMember('viewer', 'Alan Turing');
  const id = await owner.decide('Move the lighthouse');
  const settings = await owner.open('settings');
  await settings.getByRole('switch', { name: 'Hide the forecasts of others' }).click();
  await settings.getByText('The forecasts of others are hidden now.').waitFor();
  await checkAccessible(settings);
  await owner.call('PUT', `/decisions/${id}/forecast`, { probability: 0.8, reason: 'It stands on rock.' });

  const page = await grace.open(`decisions/${id}`);
  const forecasts = page.getByRole('region', { name: 'Forecasts' });
  await forecasts.getByText('1 forecast is given. Those of others are hidden until you give yours').waitFor();
  expect(await forecasts.getByText('Ada Lovelace').count()).toBe(0);
  await forecasts.getByRole('button', { name: 'Give your forecast' }).click();
  const dialog = page.getByRole('dialog', { name: 'Give your forecast' });
  await dialog.getByLabel('Chance of success, in percent').fill('120');
  await dialog.getByRole('button', { name: 'Save the forecast' }).click();
  await dialog.getByText('A number from 0 to 100').waitFor();
  await dialog.getByLabel('Chance of success, in percent').fill('50');
  await dialog.getByLabel('Reason').fill('The crane is *old*.');
  await dialog.getByRole('button', { name: 'Save the forecast' }).click();
  await forecasts.getByText('Ada Lovelace: 80%').waitFor();
  await forecasts.getByText('It stands on rock.').waitFor();
  await forecasts.getByText('Median 65% of 2 forecasts').waitFor();
  // Odds of 4 and 1 have the geometric mean 2, and 2^1.5 are odds of 2.83.
  await forecasts.getByText('Extremized mean 73.9%').click();
  await forecasts.getByText('The mean of the log-odds times 1.5').waitFor();
  await checkAccessible(page);
  await forecasts.getByRole('button', { name: 'Change your forecast' }).click();
  const change = page.getByRole('dialog', { name: 'Change your forecast' });
  expect(await change.getByLabel('Chance of success, in percent').inputValue()).toBe('50');
  await change.getByLabel('Chance of success, in percent').fill('62.5');
  await change.getByRole('button', { name: 'Save the forecast' }).click();
  await forecasts.getByText('Grace Hopper: 62.5%').waitFor();

  const german = await viewer.open(`decisions/${id}`, { locale: 'de-DE' });
  const his = german.getByRole('region', { name: 'Prognosen' });
  await his.getByText('2 Prognosen sind abgegeben.').waitFor();
  expect(await his.getByRole('button').count()).toBe(0);
  await owner.call('PATCH', `/decisions/${id}`, { outcome: 'success' });
  await his.getByText('Grace Hopper: 62,5').waitFor();
  await forecasts.getByText('forecasts can no longer change').waitFor();
  expect(await forecasts.getByRole('button').count()).toBe(0);
});
