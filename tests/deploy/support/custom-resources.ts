import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { type Manifest, root } from './render-chart.ts';

type Schema = Record<string, unknown>;

const folder = join(root, 'tests/deploy/definitions');
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false });
const validators = new Map<string, ValidateFunction>();
for (const file of readdirSync(folder)) {
  const { spec } = parse(readFileSync(join(folder, file), 'utf8'));
  for (const { name, schema } of spec.versions)
    validators.set(`${spec.group}/${name} ${spec.names.kind}`, ajv.compile(closed(schema.openAPIV3Schema)));
}

/** Whether the kind belongs to another project, with a definition in tests/deploy/definitions. */
export const isCustom = ({ apiVersion, kind }: Manifest) => validators.has(`${apiVersion} ${kind}`);

/** Returns the violations of a manifest against its definition, including unknown fields. */
export function faultsOf(manifest: Manifest): string[] {
  const validate = validators.get(`${manifest.apiVersion} ${manifest.kind}`)!;
  validate(manifest);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Makes a definition refuse unknown fields, as the API server does in strict mode. */
function closed(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema as Record<string, Schema | undefined>;
  const isOpen =
    additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...schema,
    // Go's regular expressions have this flag and JavaScript's do not.
    ...(typeof schema['pattern'] === 'string' && { pattern: schema['pattern'].replace('(?i)', '') }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, closed(property as Schema)]),
      ),
      ...(!isOpen && { additionalProperties: false }),
    }),
    ...(items && { items: closed(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closed(additionalProperties) }),
  };
}
