import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { testFolder } from '@waymark/testing';
import { acquirePython } from '../../dev/sdks/python/python-command.ts';
import { runCommand } from '../../libs/local-stack/src/process/run-command.ts';
import { programOf, referenceSamples } from '../support/documented-code.ts';
import { joinProduct } from '../support/join-product.ts';
import { quickstartBlocks } from '../support/quickstart.ts';

const SDK = join(findRepositoryRoot(), 'sdks/python');
/** The README's examples have it from a request. */
const WEBHOOK = 'body, headers, secret = b"{}", {"webhook-id": "1"}, "whsec_" + "A" * 44';

const directory = testFolder();

/** The examples of the README as one program, with this address and key. */
function readmeProgram(url: string, key: string): string {
  const examples = readFileSync(join(SDK, 'README.md'), 'utf8').matchAll(/```python\n(.*?)```/gs);
  const [first, ...others] = [...examples].map(([, code]) => code!);
  const opened = first!.replace('https://waymark.example.com', url).replace('"wmk_…"', JSON.stringify(key));
  const after = ['waymark = Waymark()', WEBHOOK, ...others].join('\n');
  return `${opened}\n${after}`;
}

const indented = (code: string) => code.replaceAll(/^(?=.)/gm, '    ');

/** Runs Python with the SDK, and returns what it prints. */
async function python(args: string[], env: Record<string, string> = {}): Promise<string> {
  const program = await acquirePython(SDK, console.error);
  return runCommand(program.command, args, { ...program.env, ...env }, directory);
}

describe('the SDK for Python', () => {
  const product = joinProduct();

  it('does what its README shows', async () => {
    const { key } = await product.workspace();
    await writeFile(join(directory, 'readme.py'), readmeProgram(product.url, key));
    const output = await python(['readme.py'], { WAYMARK_URL: product.url, WAYMARK_API_KEY: key });
    const lines = output.trim().split('\n');
    expect(lines[0]).toMatch(/^[\w-]{36} \d+(\.\d*[1-9])?$/);
    expect(lines.slice(1, 3)).toEqual(['Adopt the SDK', '1 None']);
    expect(lines.filter((line) => line.startsWith('title '))).not.toEqual([]);
    expect(lines.slice(-2)).toEqual(["['Wait for nobody', 'Adopt the SDK']", 'refused: missing_headers']);
    expect(readFileSync(join(directory, 'workspace.json'), 'utf8')).toContain('Adopt the SDK');
  });

  it('has types that mypy --strict accepts, with its tests and all examples', async () => {
    await writeFile(join(directory, 'readme.py'), readmeProgram('http://localhost', 'wmk_'));
    await writeFile(join(directory, 'quickstart.py'), programOf(quickstartBlocks, 'python', 'Python'));
    const samples = referenceSamples('Python').map((code, i) => `def f${i}() -> None:\n${indented(code)}`);
    expect(samples.length).toBeGreaterThan(100);
    const head = 'from waymark_sdk import Waymark\n\nwaymark = Waymark()\n';
    await writeFile(join(directory, 'samples.py'), head + samples.join('\n'));
    const config = ['--config-file', join(SDK, 'pyproject.toml'), '--cache-dir', join(directory, 'mypy')];
    const files = [join(SDK, 'src'), join(SDK, 'tests'), 'readme.py', 'quickstart.py', 'samples.py'];
    const output = await python(['-m', 'mypy', ...config, ...files]);
    expect(output).toMatch(/^Success: no issues found in \d+ source files/);
  });
});
