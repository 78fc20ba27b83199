import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { freePort } from '@waymark/local-stack';
import { eventually, testFolder } from '@waymark/testing';
import type { Page } from 'playwright-core';
import { checkAccessible, copiedText, useConsole } from './support/index.ts';

const app = useConsole();
// This process's Node comes first.
const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };
const folder = testFolder();

/** Runs commands as somebody who pastes them into a terminal. */
const paste = (commands: string) => promisify(execFile)('bash', ['-c', commands], { cwd: folder, env });

/** Copies the commands of a tab. */
async function commands(page: Page, language: string): Promise<string> {
  await page.getByRole('tab', { name: language }).click();
  return copiedText(page, page.getByRole('button', { name: `Copy for ${language}` }));
}

it('the first steps lead to a sample workspace that can be removed, and to a key with commands that run', async () => {
  const owner = await app.signUp();
  const page = await owner.open('decisions');
  await page.getByRole('link', { name: 'Import decisions' }).waitFor();
  await page.getByRole('link', { name: 'Invite somebody' }).waitFor();
  // The card of the sample shows it, in the colours of the theme.
  const card = page.locator('.mantine-Paper-root', { hasText: 'Open a sample workspace' });
  const preview = card.locator('svg.sample-preview');
  const sheet = () => preview.locator('.sheet').evaluate((rect) => getComputedStyle(rect).fill);
  const light = await sheet();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
  expect(await sheet()).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await checkAccessible(page);
  await page.getByRole('button', { name: 'Open a sample workspace' }).click();
  await page.getByText('This is a sample').waitFor();
  await page.getByRole('link', { name: 'Which database keeps our orders?' }).waitFor();
  await page.getByText('4 decisions').waitFor();
  await checkAccessible(page);
  const sample = /\/w\/([\w-]+)\//.exec(page.url())![1]!;
  expect(sample).not.toBe(owner.workspaceId);
  await page.getByRole('button', { name: 'Remove the sample' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.waitForURL(`**/w/${owner.workspaceId}/decisions`);
  await expect(owner.call('GET', `/workspaces/${sample}`)).rejects.toThrow('answered 403');

  await page.getByRole('link', { name: 'Make a first call' }).click();
  await page.getByLabel('Name').fill('First key');
  await page.getByRole('button', { name: 'Create key' }).click();
  for (const language of ['curl', 'TypeScript', 'Python']) {
    const { stdout } = await paste(await commands(page, language));
    expect(stdout).toContain('next_cursor');
  }
  // Without a decision, a key that may write creates one.
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  await page.getByLabel('Name').fill('Second key');
  await page.getByLabel('Read and write').check();
  await page.getByRole('button', { name: 'Create key' }).click();
  for (const language of ['curl', 'TypeScript', 'Python']) {
    const { stdout } = await paste(await commands(page, language));
    expect(stdout).toContain('Try the API');
  }
  expect(await commands(page, 'Go')).toContain('strings.NewReader');
  const guide = page.getByRole('link', { name: 'Documentation' });
  expect(await guide.getAttribute('href')).toBe('/docs/quickstart');
  await checkAccessible(page);
});

it('the first steps lead to an endpoint with a receiver that verifies', async () => {
  const page = await (await app.signUp()).open('webhooks#new');
  const address = `http://127.0.0.1:${await freePort()}/`;
  await page.getByLabel('Address').fill(address);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const send = await commands(page, 'curl');
  for (const language of ['TypeScript', 'Python']) {
    const receiver = await commands(page, language);
    const running = spawn('bash', ['-c', receiver], { cwd: folder, env, detached: true, stdio: 'ignore' });
    try {
      await eventually(async () => expect((await paste(send)).stdout.trim()).toBe('204'));
      expect((await paste(send.replace('first.%s', 'other.%s'))).stdout.trim()).toBe('401');
    } finally {
      process.kill(-running.pid!);
      await once(running, 'exit');
    }
  }
  await checkAccessible(page);
});
