import { describe, expect, it } from '@jest/globals';
import { sampleDecision } from '@waymark/testing';
import { madrOf } from './format-madr.ts';

describe('madrOf', () => {
  it('fills the template', () => {
    const decision = sampleDecision({
      id: '0199f3a4-0000-7000-8000-000000000001',
      updated_at: '2026-02-03T04:05:06.789Z',
      title: 'Use "PostgreSQL"\nfor orders',
      question: 'Which store?',
      description: 'Orders outgrow the files.',
      status: 'accepted',
      criteria: ['Durable', 'Known to the team'],
      options_considered: [
        'SQLite',
        { title: 'PostgreSQL', pros: ['it is known', 'it is\nproven'], cons: ['it is a server'] },
      ],
      resolution: 'PostgreSQL',
      rationale: 'two writers need it.\n\n# And more',
      outcome: 'success',
      outcome_notes: 'No outage in a year.',
      decided_by: 'Ada: "the" first',
      tags: ['data', 'ä: b'],
      expected_by: '2026-12-31T23:59:59.999Z',
      supersedes: '0199f3a4-0000-7000-8000-000000000009',
    });
    expect(madrOf(decision)).toBe(`---
status: "accepted"
date: "2026-02-03"
decision-makers: "Ada: \\"the\\" first"
id: "0199f3a4-0000-7000-8000-000000000001"
title: "Use \\"PostgreSQL\\"\\nfor orders"
question: "Which store?"
tags: ["data","ä: b"]
expected-by: "2026-12-31T23:59:59.999Z"
supersedes: "0199f3a4-0000-7000-8000-000000000009"
---

# Use "PostgreSQL" for orders

## Context and Problem Statement

Orders outgrow the files.

Which store?

## Decision Drivers

* Durable
* Known to the team

## Considered Options

* SQLite
* PostgreSQL

## Decision Outcome

Chosen option: "PostgreSQL", because two writers need it.

\\# And more

### Confirmation

Outcome: success

No outage in a year.

## Pros and Cons of the Options

### PostgreSQL

* Good, because it is known
* Good, because it is
  proven
* Bad, because it is a server
`);
  });

  it('omits empty fields of a decision', () => {
    const decision = sampleDecision({ question: 'Use PostgreSQL' });
    expect(madrOf(decision)).toBe(`---
status: "proposed"
date: "2026-01-02"
id: "${decision.id}"
question: "Use PostgreSQL"
---

# Use PostgreSQL
`);
  });

  it.each([
    [{ resolution: 'Wait' }, 'Chosen option: "Wait"\n'],
    [{ rationale: 'Nobody asked.' }, 'Nobody asked.\n'],
    [{ resolution: 'One\nTwo', rationale: 'Why' }, '### Resolution\n\nOne\nTwo\n\n### Rationale\n\nWhy\n'],
    [{ outcome_notes: 'so far so good' }, '### Confirmation\n\nso far so good\n'],
  ])('writes the available parts of the outcome: %j', (fields, expected) => {
    const [, outcome] = madrOf(sampleDecision(fields)).split('## Decision Outcome\n\n');
    expect(outcome).toBe(expected);
  });

  it('writes an archived decision as deprecated, like the template', () => {
    expect(madrOf(sampleDecision({ status: 'archived' }))).toContain('status: "deprecated"\n');
  });
});
