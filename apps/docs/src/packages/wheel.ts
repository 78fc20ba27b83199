import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { makeZip } from 'client-zip';
import { filesIn, type Packing } from './packing.ts';

const SDK = 'sdks/python';
/** The format has local times, so this is the same in every time zone. */
const TIME = new Date(1985, 9, 26, 8, 15);

/** Packs the SDK for Python as a wheel (PyPA, "Binary distribution format"). */
export async function packWheel({ root, out, version }: Packing): Promise<void> {
  const source = join(root, SDK, 'src');
  const modules = filesIn(source).filter((name) => /^waymark_sdk\/.*\.(?:py|typed)$/.test(name));
  const about = `waymark_sdk-${version}.dist-info`;
  const read = (file: string) => readFileSync(join(root, SDK, file));
  const project = read('pyproject.toml').toString();
  const files = {
    ...Object.fromEntries(modules.map((name) => [name, readFileSync(join(source, name))])),
    [`${about}/METADATA`]: Buffer.from(metadata(project, version, read('README.md').toString())),
    [`${about}/WHEEL`]: Buffer.from(
      'Wheel-Version: 1.0\nGenerator: waymark\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
    [`${about}/licenses/LICENSE`]: read('LICENSE'),
  };
  const record = `${about}/RECORD`;
  const lines = Object.entries(files).map(([name, content]) => {
    const digest = createHash('sha256').update(content).digest('base64url');
    return `${name},sha256=${digest},${content.length}\n`;
  });
  const all = { ...files, [record]: Buffer.from(`${lines.join('')}${record},,\n`) };
  const entries = Object.entries(all).map(([name, input]) => ({ name, input, lastModified: TIME }));
  writeFileSync(join(out, `waymark_sdk-${version}-py3-none-any.whl`), await buffer(makeZip(entries)));
}

/** The core metadata that pip reads, from pyproject.toml. */
function metadata(project: string, version: string, readme: string): string {
  const field = (name: string) => JSON.parse(new RegExp(`^${name} = (.+)$`, 'm').exec(project)![1]!);
  return [
    'Metadata-Version: 2.4',
    `Name: ${field('name')}`,
    `Version: ${version}`,
    `Summary: ${field('description')}`,
    `License-Expression: ${field('license')}`,
    'License-File: LICENSE',
    `Requires-Python: ${field('requires-python')}`,
    ...field('dependencies').map((dependency: string) => `Requires-Dist: ${dependency}`),
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n');
}
