import { describe, expect, it } from '@jest/globals';
import { checkAccessible } from './support/check-accessible.ts';
import { useConsole } from './support/use-console.ts';

const app = useConsole();

const WRITERS = 'Members, admins and owners can do this';
const ADMINS = 'Admins and owners can do this';

describe('a viewer at the address of a page for other roles', () => {
  it('reads who can use it, and causes no refused request', async () => {
    const owner = await app.product.signUp();
    const { workspaceId, cookie } = owner;
    const viewer = await app.product.signUp('Viola Viewer');
    await app.product.addMember(owner, viewer, 'viewer');
    const body = { workspaceId, title: 'Burn coal' };
    const { id } = (await app.product.call('POST', '/decisions', { cookie, body })).body;
    const endpoint = { workspaceId, url: 'https://example.com/hook', events: ['decision.created'] };
    const webhook = (await app.product.call('POST', '/webhooks', { cookie, body: endpoint })).body;

    const page = await app.visit(`/w/${workspaceId}/decisions`, { cookie: viewer.cookie });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} of ${response.url()}`);
    });
    const pages = {
      'decisions/new': WRITERS,
      [`decisions/${id}/edit`]: WRITERS,
      'settings/members': ADMINS,
      'settings/api-keys': ADMINS,
      'settings/limits': ADMINS,
      webhooks: ADMINS,
      [`webhooks/${webhook.id}`]: ADMINS,
      [`webhooks/${webhook.id}/deliveries/${id}`]: ADMINS,
    };
    for (const [path, words] of Object.entries(pages)) {
      await page.goto(`/w/${workspaceId}/${path}`);
      await page.getByRole('heading', { name: words }).waitFor();
      await page.getByText('You are a viewer of').waitFor();
      expect(await page.locator('main').getByRole('textbox').count()).toBe(0);
    }
    await checkAccessible(page);
    expect(refused).toEqual([]);
  });
});
