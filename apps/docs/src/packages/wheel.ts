import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { filesIn, type Packing } from './packing.ts';

const SDK = 'sdks/python';

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
  writeFileSync(join(out, `waymark_sdk-${version}-py3-none-any.whl`), zipOf(all));
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

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** ZIP 2.0, which has folders and Deflate. */
const VERSION = 20;
/** With attributes of Unix. */
const MADE_BY = (3 << 8) | VERSION;
const UTF_8 = 1 << 11;
const DEFLATE = 8;
/** 1980-01-01, the first day that the format knows. */
const DATE = (1 << 5) | 1;
/** A regular file that all may read. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;

/** Returns a ZIP archive (APPNOTE 6.3.9) of files by name; the same files have the same bytes. */
function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content, { level: 9 });
    const title = Buffer.from(name);
    const common = Buffer.concat([
      words16(VERSION, UTF_8, DEFLATE, 0, DATE),
      words(crc32(content), packed.length, content.length),
      words16(title.length, 0),
    ]);
    const rest = [words16(0, 0, 0), words(ATTRIBUTES, offset)];
    directory.push(words(CENTRAL), words16(MADE_BY), common, ...rest, title);
    const entry = Buffer.concat([words(LOCAL), common, title, packed]);
    entries.push(entry);
    offset += entry.length;
  }
  const listed = Buffer.concat(directory);
  const count = Object.keys(files).length;
  const end = [words(END), words16(0, 0, count, count), words(listed.length, offset), words16(0)];
  return Buffer.concat([...entries, listed, ...end]);
}

const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
const words16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
