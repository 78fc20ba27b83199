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

/**
 * Whether the kind is another project's, whose definition is in tests/deploy/definitions and not in
 * Kubernetes itself.
 */
export const isCustom = ({ apiVersion, kind }: Manifest) => validators.has(`${apiVersion} ${kind}`);

/** What its definition has against a manifest, fields that it does not know among it. */
export function faultsOf(manifest: Manifest): string[] {
  const validate = validators.get(`${manifest.apiVersion} ${manifest.kind}`)!;
  validate(manifest);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** A definition that refuses unknown fields, as the API server does when asked to be strict. */
function closed(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema as Record<string, Schema | undefined>;
  const isOpen =
    additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...schema,
    // A flag of Go's regular expressions, which JavaScript does not have.
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
