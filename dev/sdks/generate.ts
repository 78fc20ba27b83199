/** npm run generate: writes the files that the contracts, the services' variables and the chart determine. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRepositoryRoot } from '@waymark/local-stack';
import { CHART_SCHEMA, chartSchema } from '../chart-schema.ts';
import { makeTypes, TYPES, typesHead } from './client-types.ts';
import { generatedFiles } from './generators.ts';

const root = findRepositoryRoot();
const [head] = readFileSync(join(root, TYPES), 'utf8').split('\n', 1);
const files = {
  ...generatedFiles(),
  [CHART_SCHEMA]: chartSchema(),
  ...(head !== typesHead() && { [TYPES]: makeTypes() }),
};
for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
