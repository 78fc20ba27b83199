import { afterAll, describe, expect, it } from '@jest/globals';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
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
      const mail = catcher.mails.find((one) => one.to === to);
      return new RegExp(`http\\S+/${page}\\S+`).exec(mail!.text)![0];
    });

  it('a forgotten password is replaced with a mailed link, which works once', async () => {
    const owner = await app.signUp();
    const page = await app.visit('/sign-in', { expects: /404/ });
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await checkAccessible(page);
    await page.getByLabel('Email').fill(owner.email);
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

it('without a mail server, a forgotten password needs the operator, whose command is shown', async () => {
  const page = await withoutMail.visit('/sign-in');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByText('waymark admin recover-password').waitFor();
});
