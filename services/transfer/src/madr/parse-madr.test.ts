import { describe, expect, it, jest } from '@jest/globals';
import { limits } from '@waymark/contracts';
import { processorMs } from '@waymark/testing';
import { parseMadr } from './parse-madr.ts';

describe('parseMadr', () => {
  it('parses MADR 2', () => {
    const parsed = parseMadr(`# 5. Use Markdown

* Status: superseded by [ADR-0009](0009-use-asciidoc.md)
* Deciders: Ada, Grace
* Date: 2018-02-03

## Context and Problem Statement

We want to record.

## Considered Options

* [MADR](https://adr.github.io/madr/)
* Nygard

## Decision Outcome

Chosen option: "MADR", because it is lean.

### Positive Consequences

* Readable

## Pros and Cons of the Options

### MADR

* Good, because short
* Bad, because yet another

## Links

* [Refines](0001-x.md)
`);
    expect(parsed).toMatchObject({
      id: null,
      title: 'Use Markdown',
      status: 'archived',
      superseded_by: '[ADR-0009](0009-use-asciidoc.md)',
      decision_makers: 'Ada, Grace',
      date: '2018-02-03T00:00:00.000Z',
      options: [
        { title: 'MADR', pros: ['short'], cons: ['yet another'] },
        { title: 'Nygard', pros: [], cons: [] },
      ],
      resolution: 'MADR',
      rationale: 'it is lean.\n\n#### Positive Consequences\n\n* Readable',
    });
    expect(parsed.context).toContain('We want to record.');
    expect(parsed.context).toContain('Refines');
  });

  it('parses a record in the format of Nygard', () => {
    const parsed = parseMadr(
      `# 1. Record decisions\n\n## Status\n\nAccepted\n\n## Context\n\nWhy\n\n## Decision\n\nWe will.\n\n## Consequences\n\nMore text.\n`,
    );
    expect(parsed).toMatchObject({
      title: 'Record decisions',
      status: 'accepted',
      rationale: 'We will.',
      resolution: null,
    });
    expect(parsed.context).toBe('Why\n\n### Consequences\n\nMore text.');
  });

  it.each(['', '---\n: [\n---\n# T', '---\na: &a [*a]\n---\n# T', '# ', '\0', '---\n__proto__: 1\n---\n# T'])(
    'survives %j',
    (text) => {
      expect(parseMadr(text).status).toBeNull();
    },
  );

  const many = (text: string, characters: number) => text.repeat(characters / text.length);
  const options = (count: number) => `${many('a ', 2_000)}\n* `.repeat(count);
  it.each([
    ['a status over two lines', `# T\n\n* Status: superseded by${many(' ', 100_000)}a\n  b`],
    ['a heading with a line separator', `# ${many(' ', 100_000)}\u2028a`],
    [
      '500 options and details',
      `# T\n## Options\n\n* ${options(499)}\n## Pros and Cons\n${many('### a\n', 3_000)}`,
    ],
    [
      'a list of fields',
      `---\n{${Array.from({ length: 15_000 }, (_, i) => i.toString(36)).join()}}\n---\n# T`,
    ],
    ...[']', '[', '- ', '? ', '{a: ', '"', '&a ', '!a ', '\n- |', 'a: *a\n'].map((text) => [
      `front matter of ${JSON.stringify(text)}`,
      `---\n${many(text, 65_000)}\n---\n# T`,
    ]),
  ])('takes time linear in the length for %s', async (_, text) => {
    expect(await processorMs(() => parseMadr(text), 1_000)).toBeLessThan(1_000);
  });

  it('handles a million blank lines in an item', () => {
    const { options: found } = parseMadr(`# T\n## Options\n\n* a\n${many('\n', 1_000_000)}  b`);
    expect(found).toHaveLength(1);
  });

  it('reads more drivers and arguments than a record may have, but not a megabyte of them', () => {
    const { drivers, options: found } = parseMadr(
      `# T\n## Decision Drivers\n\n${many('* a\n', 400_000)}\n## Pros and Cons\n### x\n${many('* good, because y\n', 400_000)}`,
    );
    expect([drivers.length, found[0]!.pros.length]).toEqual([500, 500]);
    expect(drivers.length).toBeGreaterThan(limits.listItems);
  });

  it.each([
    ['its first line', 'superseded by [2](2.md)\n  and [3](3.md)', '[2](2.md)'],
    ['the line below', 'superseded by\n  [2](2.md)', '[2](2.md)'],
    ['nothing if it is too long for a link', `superseded by ${'x'.repeat(5_000)}`, null],
  ])('reads from a status %s', (_, status, superseded_by) => {
    expect(parseMadr(`# T\n\n* Status: ${status}\n`)).toMatchObject({ status: 'archived', superseded_by });
  });

  it('reads the people of MADR 4, as lists or as texts', () => {
    const front = 'decision-makers: [Ada, Grace]\nconsulted: Alan, Mary, Alan\ninformed: [Everyone]';
    expect(parseMadr(`---\n${front}\n---\n# T`)).toMatchObject({
      decision_makers: 'Ada, Grace',
      deciders: ['Ada', 'Grace'],
      consulted: ['Alan', 'Mary'],
      informed: ['Everyone'],
    });
  });

  it('does not log any text of a file', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    expect(parseMadr('---\ntags: !secret x\n---\n# T').title).toBe('T');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
