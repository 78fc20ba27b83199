import { type ServiceName, services } from '@waymark/contracts';
import { baseEnvironment, databaseEnvironment } from '@waymark/service-kit/process';
import type { z } from 'zod';
import { type Declared, declared } from './declared.ts';
import { type Environment, environments as shapes } from './environments.ts';

const names = Object.keys(services) as ServiceName[];

const HEAD = `# Configuration

The environment variables of each service. \`npm run generate\` generates this page from the services' declarations, and a test
compares them. The suffix of a name is its unit: \`_MS\` means milliseconds. An empty variable counts as unset. A process with a wrong
variable exits and names every wrong one. Changes take effect at the next start.

With \`SECRETS_DIRECTORY\`, a process also reads the files of that folder, each as the variable of its name, such as \`MONGODB_URL\`. A variable
that is set goes before its file. The folder may be a mounted Secret, \`/run/secrets\` of compose, or \`$CREDENTIALS_DIRECTORY\` of systemd.

| Where | How |
| --- | --- |
| Kubernetes | \`services.<name>.env\`, or \`defaults.env\` for all. The chart refuses unknown names, and names that belong in the Secret or have a value of their own ([values.yaml](../../deploy/helm/waymark/values.yaml)) |
| compose | a line \`NAME=value\` in \`deploy/compose/.env\`, except for variables set in \`compose.yaml\`; single sign-on also needs [single-sign-on.yaml](../../deploy/compose/single-sign-on.yaml), e-mail [mail.yaml](../../deploy/compose/mail.yaml) |
| a checkout | the environment of \`npm start\` |
`;

const isServiceUrl = (name: string) => names.some((service) => name === `${service.toUpperCase()}_URL`);

function row(name: string, schema: z.ZodType, variants: z.ZodType[] = []): string {
  const told = declared(schema);
  if (!told.description) throw new Error(`${name} has no description`);
  const differs = variants.some((other) => declared(other).default !== told.default);
  return `| \`${name}\` | ${differs ? 'each its own' : standard(schema, told)} | ${allowed(told)} | ${told.description} |`;
}

function standard(schema: z.ZodType, told: Declared): string {
  if (told.defaultText) return told.defaultText;
  const unset = schema.safeParse(undefined);
  if (!unset.success) return '**required**';
  const text = String(told.default ?? unset.data ?? '');
  return text === '' ? 'none' : `\`${text}\``;
}

function allowed({ enum: choices, minimum, exclusiveMinimum, maximum }: Declared): string {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (exclusiveMinimum !== undefined) return `more than ${exclusiveMinimum}`;
  const isBounded = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  if (isBounded) return `${minimum ?? 0} to ${maximum}`;
  return minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : `${minimum} or more`;
}

const table = (rows: string[]) =>
  ['| Variable | Default | Allowed | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');

/** Returns docs/operating/configuration.md: every variable that a service declares. */
export function configurationPage(): string {
  const common = (shape: (service: ServiceName) => Environment, leftOut: Environment = {}) =>
    Object.keys(shape('accounts'))
      .filter((name) => !isServiceUrl(name) && !(name in leftOut))
      .map((name) => {
        const [first, ...others] = names.map((service) => shape(service)[name]!);
        return row(name, first!, others);
      });
  const base = baseEnvironment('accounts');
  const database = databaseEnvironment('accounts');
  const callers = (name: string) => names.filter((service) => name in shapes[service]);
  const urls = names
    .map((service) => `${service.toUpperCase()}_URL`)
    .filter((name) => callers(name).length > 0)
    .map((name) => {
      const by = callers(name);
      return `| \`${name}\` | ${standardUrl(name)} | ${by.length === names.length ? 'all' : by.join(', ')} |`;
    });
  function standardUrl(name: string) {
    const [service] = callers(name);
    const schema = shapes[service!][name]!;
    return standard(schema, declared(schema));
  }
  const own = names.flatMap((service) => {
    const shape = shapes[service];
    const rows = Object.keys(shape)
      .filter((name) => !isServiceUrl(name) && !(name in database))
      .map((name) => row(name, shape[name]!));
    return rows.length === 0 ? [] : [`## ${service}`, table(rows)];
  });
  return [
    HEAD.trimEnd(),
    '## Every service',
    table(common(baseEnvironment)),
    '## Every service but the gateway',
    table(common(databaseEnvironment, base)),
    '## Addresses of other services',
    'One URL, or the comma-separated URLs of several replicas. The chart and compose set them.',
    ['| Variable | Default | Read by |', '| --- | --- | --- |', ...urls].join('\n'),
    ...own,
  ]
    .join('\n\n')
    .concat('\n');
}
