import { afterAll, describe } from '@jest/globals';
import { createFixture } from './fixture.ts';
import { foreignIds } from './foreign-ids.ts';
import { fuzz } from './fuzz.ts';
import { http } from './http.ts';
import { idempotency } from './idempotency.ts';
import { ownWorkspace } from './own-workspace.ts';
import { refusals } from './refusals.ts';
import { roles } from './roles.ts';

/** Suites over every operation of the table. They share a product and two filled workspaces. */
const fixture = await createFixture();
afterAll(fixture.stop);

// The first three suites change nothing, the fourth compares what it adds to both workspaces, and the
// refusals set the clock ahead. Arbitrary input changes everything, so it comes last.
describe('ids of another workspace', () => foreignIds(fixture));
describe('HTTP', () => http(fixture));
describe('a role', () => roles(fixture));
describe('a repeated request', () => idempotency(fixture));
describe('the workspace of a request', () => ownWorkspace(fixture));
describe('a refusal', () => refusals(fixture));
describe('arbitrary input', () => fuzz(fixture));
