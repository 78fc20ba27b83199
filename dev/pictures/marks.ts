import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { launchBrowser } from '../../tests/e2e/support/launch-browser.ts';

/** `npm run marks`: makes the icons and the social image of the console from its mark and its font. */
const folder = join(findRepositoryRoot(), 'apps/console/public');
const mark = await readFile(join(folder, 'waymark.svg'), 'utf8');
const [font] = globSync('assets/inter-*.woff2', { cwd: folder });
const fontData = await readFile(join(folder, font!), 'base64');

const icon = `<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${mark}`;
/** The trail is the line of the mark, enlarged beyond the edges. */
const social = `<style>
@font-face { font-family: Inter; src: url(data:font/woff2;base64,${fontData}); font-weight: 400 700; }
body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative; color: #e6e7ec;
  font-family: Inter; background: radial-gradient(circle, #33363f 1.5px, transparent 1.5px) 0 0 / 36px 36px #0f1014; }
.trail { position: absolute; right: -300px; bottom: -330px; width: 1060px; }
.trail rect { fill: none; } .trail path { stroke: #3d45cf; stroke-width: 2; }
main { position: absolute; left: 88px; top: 84px; }
h1 { display: flex; gap: 22px; align-items: center; margin: 0; font-size: 52px; font-weight: 600; letter-spacing: -.02em; }
h1 svg { width: 76px; height: 76px; }
p { width: 560px; margin: 96px 0 0; font-size: 60px; font-weight: 600; line-height: 1.14; letter-spacing: -.025em; }
</style>
<div class="trail">${mark}</div>
<main><h1>${mark} Waymark</h1><p>What was decided, why, and what came of it.</p></main>`;

const images = [
  { name: 'favicon', html: icon, width: 48, height: 48 },
  { name: 'apple-touch-icon', html: icon, width: 180, height: 180 },
  { name: 'social', html: social, width: 1200, height: 630 },
];

const browser = await launchBrowser();
try {
  for (const { name, html, width, height } of images) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(html);
    await page.evaluate('document.fonts.ready');
    await writeFile(join(folder, `${name}.png`), await page.screenshot({ omitBackground: true }));
  }
} finally {
  await browser.close();
}
