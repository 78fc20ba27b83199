import { afterAll, describe, expect, it } from '@jest/globals';
import { type MailCatcher, startMailCatcher } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { checkAccessible } from './support/check-accessible.ts';
import { createAccount, signIn } from './support/enter.ts';
import { useConsole } from './support/use-console.ts';

const NEW_PASSWORD = 'another horse battery';

describe('a forgotten password', () => {
  let catcher: MailCatcher;
  const app = useConsole(async () => {
    catcher = await startMailCatcher();
    return { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com' };
  });
  afterAll(() => catcher.stop());

  it('is replaced with a mailed link, which works once', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit('/sign-in', { expects: /404/ });
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await checkAccessible(page);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText(`If ${owner.email} has an account here`).waitFor();
    const link = await eventually(() => {
      const mail = catcher.mails.find(({ to }) => to === owner.email);
      if (!mail) throw new Error('no mail has arrived');
      return /http\S+\/reset-password\S+/.exec(mail.text)![0];
    });
    expect(new URL(link).origin).toBe(app.product.url);
    await page.goto(link);
    await checkAccessible(page);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { email: owner.email, password: NEW_PASSWORD });
    await page.getByRole('heading', { name: 'Decisions', level: 1 }).waitFor();

    const other = await app.visit(link.slice(app.product.url.length), { expects: /404/ });
    await other.getByLabel('New password').fill(`${NEW_PASSWORD} 2`);
    await other.getByRole('button', { name: 'Change password' }).click();
    await other.getByText('This link is no longer valid', { exact: true }).waitFor();
  });
});

describe('the e-mail address of an account', () => {
  let catcher: MailCatcher;
  const app = useConsole(async () => {
    catcher = await startMailCatcher();
    return { SMTP_URL: catcher.url, MAIL_FROM: 'waymark@example.com' };
  });
  afterAll(() => catcher.stop());

  it('changes when a mailed link is opened', async () => {
    const owner = await app.product.signUp();
    const email = `new-${owner.email}`;
    const page = await app.visit('/account', { cookie: owner.cookie });
    const form = page.getByRole('region', { name: 'Change e-mail address' });
    await form.getByLabel('New address').fill(email);
    await form.getByLabel('Your password').fill(owner.password);
    await form.getByRole('button', { name: 'Send the link' }).click();
    await form.getByText(`Open the link that we sent to ${email}`).waitFor();
    await checkAccessible(page);
    const link = await eventually(() => {
      const mail = catcher.mails.find(({ to }) => to === email);
      if (!mail) throw new Error('no mail has arrived');
      return /http\S+\/confirm-email\S+/.exec(mail.text)![0];
    });
    await page.goto(link);
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Use this address' }).click();
    await page.getByText('Your address is changed').waitFor();
    await page.goto('/account');
    await page.getByText(`, ${email}`).waitFor();
  });
});

describe('without e-mail', () => {
  const app = useConsole();

  it('a forgotten password needs the operator, whose command is shown', async () => {
    const page = await app.visit('/sign-in');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByText('waymark admin recover-password').waitFor();
    await checkAccessible(page);
  });
});

describe('a sign-in or sign-up that fails', () => {
  const app = useConsole();

  it('is not headed as if a session had ended, or a change had conflicted', async () => {
    const owner = await app.product.signUp();
    const page = await app.visit('/sign-in', { expects: /401|409/ });
    await signIn(page, { email: owner.email, password: 'not the password' });
    const alert = page.getByRole('alert');
    await alert.getByText('This did not sign you in').waitFor();
    await alert.getByText('The email or the password is wrong.').waitFor();
    expect(await alert.textContent()).not.toContain('signed out');
    await page.goto('/sign-up');
    await createAccount(page, 'Mira', owner.email, NEW_PASSWORD);
    await alert.getByText('This email has an account').waitFor();
    expect(await alert.textContent()).not.toContain('conflicts');
  });
});
