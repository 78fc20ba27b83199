import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { operationList } from '@waymark/contracts';
import { findRepositoryRoot } from '@waymark/local-stack';
import { httpCall } from '@waymark/testing';
import { isCommand } from '../../apps/cli/src/operations/command-name.ts';
import { assets, sources } from '../../apps/docs/src/site-map.ts';
import { createReadersFolder } from '../support/documented-code.ts';
import { joinProduct } from '../support/join-product.ts';

const root = findRepositoryRoot();
const files = Object.values(sources).flatMap(Object.values);
const product = joinProduct();

const get = (path: string, headers: Record<string, string> = {}) =>
  httpCall(product.url, 'GET', path, { headers: { accept: 'text/html', ...headers } });

/** The pages that llms.txt lists, with their HTML. */
const pages = new Map<string, string>();
beforeAll(async () => {
  const { text } = await get('/llms.txt');
  for (const [, path] of text.matchAll(/^- \[[^\]]+\]\(http:\/\/[^/]+(\/docs[^)]*)\.md\)/gm)) {
    pages.set(path!, (await get(path!)).text);
  }
});

const valuesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value!);
const idsIn = (text: string) => valuesOf(text, /\sid="([^"]*)"/g);

describe('the map of the site', () => {
  it('has every guide and every page for operators', () => {
    for (const folder of ['docs/guide', 'docs/operating']) {
      const written = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
      expect(written.filter((file) => !files.includes(file))).toEqual([]);
    }
  });

  it('names files that exist', () => {
    const named = [...files, ...Object.values(assets)];
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('/llms.txt', () => {
  it('lists every page', async () => {
    const { status, text, headers } = await get('/llms.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^# Waymark\n\n> A self-hosted/);
    for (const path of Object.values(sources).flatMap(Object.keys)) expect(text).toContain(`${path}.md)`);
    for (const path of ['/docs/reference', '/docs/api-changelog', '/docs/errors/CONFLICT']) {
      expect(pages.has(path)).toBe(true);
    }
  });
});

describe('/llms-full.txt', () => {
  it('has the guides, the reference and the SDKs as one text', async () => {
    const { status, text } = await get('/llms-full.txt');
    expect(status).toBe(200);
    for (const title of ['# Quickstart', '# Decisions', '# Waymark for Python', '# Waymark for Go'])
      expect(text).toContain(`\n${title}\n`);
  });
});

describe('a page of the documentation', () => {
  it('is not reached by pages that open it', async () => {
    for (const path of ['/docs/reference', '/docs/nowhere', '/'])
      expect((await get(path)).headers['cross-origin-opener-policy']).toBe('same-origin');
  });

  it('is also Markdown, and names that address', async () => {
    for (const [path, page] of pages) {
      const { status, text, headers } = await get(`${path}.md`);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/markdown; charset=utf-8']);
      expect(text).toMatch(/^# /);
      expect(page).toContain(`<link rel="alternate" href="${path}.md" type="text/markdown"`);
      expect(page).toMatch(/<h1>[^<]/);
    }
  });

  it('links only to pages and headings that exist', async () => {
    const dead: string[] = [];
    for (const [path, page] of pages) {
      const repeated = idsIn(page).filter((id, i, ids) => ids.indexOf(id) !== i);
      expect([path, repeated]).toEqual([path, []]);
      for (const link of valuesOf(page, /\shref="([^"]*)"/g)) {
        const [target = '', anchor] = link.split('#');
        if (/^(https?:|\/$|\/v1\/|\/assets\/|\/waymark\.svg|\/docs\/docs\.css)/.test(link)) continue;
        const linked = pages.get(target === '' ? path : target.replace(/\.md$/, ''));
        const isThere = linked !== undefined && (anchor === undefined || idsIn(linked).includes(anchor));
        if (!isThere) dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  it('has no link that was not understood, and no HTML of its source', () => {
    for (const [path, page] of pages) {
      const prose = page.replaceAll(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, '');
      expect([
        path,
        /\]\(|&lt;\/?(?:br|details|div|img|p|picture|summary|table)\b|<!--/.exec(prose)?.[0],
      ]).toEqual([path, undefined]);
    }
  });

  it('loads nothing from another host', () => {
    for (const [path, page] of pages) {
      const loaded = valuesOf(page, /<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g);
      expect([path, loaded.filter((address) => !/^\/[^/]/.test(address))]).toEqual([path, []]);
    }
  });

  it('shows the address of the installation in guides', async () => {
    const { text } = await get('/docs/quickstart.md');
    expect(text).not.toContain('https://');
    expect(text).toMatch(/export WAYMARK_URL=http:\/\/[^\s/]+\n/);
  });
});

describe('the reference', () => {
  it('has every operation of the API once, and an old link finds it', () => {
    const index = pages.get('/docs/reference')!;
    for (const { id, path, method, caller } of operationList) {
      if (caller === 'service') continue;
      const [address, ...others] = valuesOf(index, new RegExp(`href="(/docs/reference/[a-z-]+)#${id}"`, 'g'));
      expect([id, others]).toEqual([id, []]);
      expect(pages.get(address!)).toContain(`<h2 id="${id}"><code>${method} ${path}</code></h2>`);
    }
  });
});

describe('the calls of the reference', () => {
  const reader = createReadersFolder();

  /** The blocks with this label, of all pages of the reference. */
  async function callsIn(label: string): Promise<string[]> {
    const paths = [...pages.keys()].filter((path) => path.startsWith('/docs/reference/'));
    const texts = await Promise.all(paths.map((path) => get(`${path}.md`)));
    return texts.flatMap(({ text }) =>
      valuesOf(text, new RegExp(`^\`\`\`\\w+ ${label}\n(.*?)^\`\`\`$`, 'gms')),
    );
  }

  it('are there for each operation, and are correct TypeScript', async () => {
    const samples = await Promise.all(['TypeScript', 'curl', 'Python', 'Go', 'CLI'].map(callsIn));
    const [typeScript] = samples;
    const offered = operationList.filter(({ caller }) => caller !== 'service');
    const commands = offered.filter(isCommand);
    const expected = [...Array(4).fill(offered.length), commands.length];
    expect(samples.map(({ length }) => length)).toEqual(expected);
    const program = [
      "import { createWaymarkClient, unwrap } from '@waymark/client';",
      "const waymark = createWaymarkClient({ baseUrl: '' });",
      ...typeScript!.map((code) => `{\n${code}void answer;\n}`),
    ];
    writeFileSync(join(reader.folder, 'calls.mts'), program.join('\n'));
    const options =
      '--noEmit --strict --module nodenext --customConditions x-source --allowImportingTsExtensions';
    const tsc = join(root, 'node_modules/.bin/tsc');
    expect(await reader.run(tsc, [...options.split(' '), '--types', 'node', 'calls.mts'], {})).toBe('');
  });

  it('log a decision and read lists, pasted into a terminal', async () => {
    const { key } = await product.workspace();
    const environment = { WAYMARK_URL: product.url, WAYMARK_API_KEY: key };
    const run = async (code: string) => JSON.parse(await reader.run('bash', ['-euc', code], environment));
    const [calls, commands] = await Promise.all(['curl', 'CLI'].map(callsIn));
    const create = commands!.find((code) => code.startsWith('waymark decisions create '))!;
    expect(await run(`${create.trim()} --json`)).toMatchObject({
      outcome: 'pending',
      external_id: 'PROJ-1234',
    });
    for (const path of ['decisions', 'workflows', 'audit-log', 'event-log', 'metrics']) {
      const read = calls!.find((code) => new RegExp(`/v1/${path}" [^']*$`).test(code));
      expect([path, await run(read!)]).toEqual([
        path,
        expect.not.objectContaining({ error: expect.anything() }),
      ]);
    }
  });
});

it('finds text of every page', async () => {
  const { body } = await get('/docs/search.json');
  const found = new Set(body.map(({ id }: { id: string }) => id.split('#')[0]));
  expect([...pages.keys()].filter((path) => !found.has(path))).toEqual([]);
  expect(new Set(body.map(({ id }: { id: string }) => id)).size).toBe(body.length);
});

it('answers the earlier address of the panel with the reference', async () => {
  expect((await get('/docs/try')).text).toContain('<h1>API reference</h1>');
});

it('answers 304 to a client that has the page, with the address of the installation in it', async () => {
  const { headers } = await get('/docs/quickstart');
  // All codings of the page have this tag.
  expect(headers['etag']).toMatch(/^W\/"/);
  const again = await get('/docs/quickstart', { 'if-none-match': headers['etag']! });
  expect([again.status, again.text]).toEqual([304, '']);
  expect(again.headers['content-security-policy']).toBe(headers['content-security-policy']);
});

it.each(['quickstart', 'mcp', 'sdks/typescript', 'cli'])(
  'shows the address of the installation on /docs/%s',
  async (path) => {
    const { text } = await get(`/docs/${path}`);
    expect(text).toContain(product.url);
    expect(text).not.toContain('localhost:8080');
  },
);

it('says in the reference what may be a time or a date', async () => {
  const { text } = await get('/docs/reference/decisions.md');
  expect(text).toContain('| `createdFrom` | query | string, time or date |');
  expect(text).toContain('| `expectedBy` | string, time or date \\| null |');
});

it.each([
  ['mirrors', 'typescript/mirror.ts'],
  ['mirrors', 'python/mirror.py'],
  ['receivers', 'typescript/receiver.ts'],
  ['receivers', 'python/receiver.py'],
  ['receivers', 'go/verify.go'],
])('has in /docs/%s the program %s', async (page, file) => {
  const source = readFileSync(join(root, 'docs', page, file), 'utf8');
  expect((await get(`/docs/${page}.md`)).text).toContain(source);
});

it('answers an address that ends with a slash as the one without', async () => {
  for (const path of ['/docs', '/docs/quickstart', '/sdks']) {
    const [withSlash, without] = [await get(`${path}/`), await get(path)];
    expect([withSlash.status, withSlash.text]).toEqual([200, without.text]);
  }
});

it('answers 404 for other addresses', async () => {
  for (const path of ['/docs/nothing', '/docs/nothing.md', '/docs/__proto__', '/docsx']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  const page = await get('/docs/nothing');
  expect([page.headers['content-type'], page.text]).toEqual([
    'text/html; charset=utf-8',
    expect.stringContaining('<h1>Page not found</h1>'),
  ]);
  const answer = await get('/docs/nothing', { accept: 'application/json' });
  expect([answer.status, answer.body]).toEqual([404, expect.objectContaining({ error: 'NOT_FOUND' })]);
});

describe('the packages at /sdks', () => {
  const text = async (path: string) => (await get(path)).text;

  it('have the checksums of SHA256SUMS, and every one that the docs name is there', async () => {
    const lines = (await text('/sdks/SHA256SUMS')).trim().split('\n');
    const sums = new Map(lines.map((line) => line.split('  ').toReversed() as [string, string]));
    for (const [name, sum] of sums) {
      const answer = await fetch(`${product.url}/sdks/${name}`, { headers: { 'accept-encoding': 'gzip' } });
      const digest = hash('sha256', Buffer.from(await answer.arrayBuffer()));
      expect([name, digest, answer.headers.get('content-encoding')]).toEqual([name, sum, null]);
    }
    const texts = await Promise.all([...pages.keys()].map((path) => text(`${path}.md`)));
    const named = new Set(texts.flatMap((each) => valuesOf(each, /\/sdks\/([\w-]+-\d[\w.-]*\w)/g)));
    expect([...named].sort()).toEqual([...sums.keys()].sort());
  });

  it('are listed by a page at that address too', async () => {
    expect(await text('/sdks')).toBe(await text('/docs/sdks'));
  });
});
