import { afterAll, describe, expect, it } from '@jest/globals';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { drawWorkflow } from './support/draw-workflow.ts';
import { checkAccessible, invite, runClockUntil, signIn, useConsole } from './support/index.ts';

const withoutMail = useConsole();
const NEW_PASSWORD = 'another horse battery';

describe('with a mail server', () => {
  let catcher: MailCatcher;
  const app = useConsole(async () => {
    catcher = await startMailCatcher({ refuse: (to) => (to.startsWith('nobody') ? 550 : undefined) });
    return { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com' };
  });
  afterAll(() => catcher.stop());

  /** Waits for the mail to an address, and returns its link to a page of the console. */
  const mailedLink = (to: string, page: string) =>
    eventually(() => {
      const texts = catcher.mails.filter((one) => one.to === to).map(({ text }) => text);
      return new RegExp(`http\\S+/${page}\\S+`).exec(texts.join('\n'))![0];
    });

  it('a forgotten password is replaced with a mailed link, which works once', async () => {
    const owner = await app.signUp();
    const page = await app.visit('/sign-in', { expects: /404/ });
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await checkAccessible(page);
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`If ${owner.email} has an account here`).waitFor();
    const link = await mailedLink(owner.email, 'reset-password');
    expect(new URL(link).origin).toBe(app.product.url);
    const change = async (password: string) => {
      await page.goto(link);
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await page.goto(link);
    await checkAccessible(page);
    await change(NEW_PASSWORD);
    await page.getByText('Your password is changed').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { email: owner.email, password: NEW_PASSWORD });
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();
    await change(`${NEW_PASSWORD} 2`);
    await page.getByText('This link is no longer valid', { exact: true }).waitFor();
  });

  it('the e-mail address of an account changes when a mailed link is opened', async () => {
    const owner = await app.signUp();
    const email = `new-${owner.email}`;
    const page = await app.visit('/account', owner);
    const form = page.getByRole('region', { name: 'Change e-mail address' });
    await form.getByLabel('New address').fill(email);
    await form.getByLabel('Your password').fill(owner.password);
    await form.getByRole('button', { name: 'Send the link' }).click();
    await form.getByText(`Open the link that we sent to ${email}`).waitFor();
    await checkAccessible(page);
    await page.goto(await mailedLink(email, 'confirm-email'));
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Use this address' }).click();
    await page.getByText('Your address is changed').waitFor();
    await page.goto('/account');
    await page.getByText(`, ${email}`).waitFor();
  });

  it('an assignment is mailed at once, until the person unsubscribes, and again by choice', async () => {
    const owner = await app.signUp('Ada Lovelace');
    const grace = await owner.addMember('member', 'Grace Hopper');
    const { ids } = await drawWorkflow(owner, ['Measure', 'Decide']);
    await owner.call('PATCH', `/nodes/${ids['Measure']}`, { assignedTo: grace.userId });
    const page = await app.visit(await mailedLink(grace.email, 'unsubscribe'));
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('You get no more such mails.').waitFor();

    const account = await app.visit('/account', grace);
    const settings = account.getByRole('region', { name: 'Notifications by e-mail', exact: true });
    const assigned = settings.getByLabel('Nodes and decisions that name you');
    expect(await assigned.inputValue()).toBe('never');
    expect(await settings.getByLabel('Mentions of you').inputValue()).toBe('atOnce');
    await checkAccessible(account);
    await assigned.selectOption('At once');
    await settings.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await settings.getByRole('button', { name: 'Save notifications' }).click();
    await account.getByText('You get e-mail as you have chosen.').waitFor();
    expect(await grace.call('GET', '/notifications/mail-settings')).toMatchObject({
      time_zone: 'Asia/Tokyo',
      at_once: ['mention', 'assignment', 'approval_requested', 'approval_voided', 'key_expiring'],
    });
    await owner.call('PATCH', `/nodes/${ids['Decide']}`, { assignedTo: grace.userId });
    const mails = () =>
      catcher.mails.filter(({ to, headers }) => to === grace.email && headers['references']);
    await eventually(() => mails().length === 2);
  });

  it('an invitation is mailed, its link is shown as well, and a refused address is named', async () => {
    const owner = await app.signUp();
    const page = await owner.open('settings/members', { ownClock: true });
    const sent = async (email: string, result: string) => {
      const link = await invite(page, email, 'viewer');
      await runClockUntil(page.getByRole('row', { name: email }).getByText(result));
      return link;
    };
    const link = await sent('joan@example.com', 'Mailed');
    expect(catcher.mails.find(({ to }) => to === 'joan@example.com')?.text).toContain(app.product.url + link);
    await sent('nobody@example.com', 'The mail server refused this address');
    await checkAccessible(page);
  });
});

it('without a mail server, a forgotten password needs the operator, and the settings of mail say so', async () => {
  const page = await withoutMail.visit('/sign-in');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByText('waymark admin recover-password').waitFor();
  const account = await withoutMail.visit('/account', await withoutMail.signUp());
  await account.getByText('This installation sends no e-mail').waitFor();
});
