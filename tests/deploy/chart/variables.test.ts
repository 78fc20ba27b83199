import { beforeAll, describe, expect, test } from '@jest/globals';
import { find, names, podOf, type SecretVariable } from '../support/manifests.ts';
import { prepareTools, render, renderWith } from '../support/render-chart.ts';

beforeAll(prepareTools);

describe('a changed variable', () => {
  const checksums = async (...set: string[]) => {
    const deployments = await renderWith('default-external', '-s', 'templates/deployment.yaml', ...set);
    return Object.fromEntries(
      deployments.map(({ metadata, spec }) => [
        metadata.name.replace('waymark-', ''),
        spec.template.metadata.annotations['checksum/config'],
      ]),
    );
  };

  test.each([
    ['services.audit.env.LOG_LEVEL=debug', ['audit']],
    ['services.webhooks.env.WEBHOOK_HEADER_PREFIX=X-', ['webhooks']],
    ['trustedProxies={10.0.0.0/8}', ['gateway']],
    ['signUp=closed', ['accounts']],
    ['services.search.indexMebibytes=64', ['search']],
    ['drain.delaySeconds=3', names],
  ])('%s restarts only the services that read it', async (set, expected) => {
    const [before, after] = [await checksums(), await checksums('--set', set)];
    expect(names.filter((name) => before[name] !== after[name])).toEqual(expected);
  });

  test('NODE_OPTIONS adds to the options of the chart', async () => {
    const option = 'services.audit.env.NODE_OPTIONS=--trace-gc';
    const manifests = await renderWith('default-external', '--set', option);
    const optionsOf = (name: string) =>
      podOf(manifests, name).containers[0].env.find((each: SecretVariable) => each.name === 'NODE_OPTIONS')
        .value;
    expect(optionsOf('search')).toBe('--max-old-space-size-percentage=70');
    expect(optionsOf('audit')).toBe('--max-old-space-size-percentage=70 --trace-gc');
    expect(find(manifests, 'ConfigMap', 'audit').data).not.toHaveProperty('NODE_OPTIONS');
  });
});

test('sign-up is as configured, and open in an evaluation', async () => {
  const signUpIn = async (values: string) => find(await render(values), 'ConfigMap', 'accounts').data.SIGN_UP;
  expect(await signUpIn('ha')).toBe('closed');
  expect(await signUpIn('default-external')).toBe('invite');
  expect(await signUpIn('evaluation')).toBe('open');
});

test('the audit log is kept forever, or for the configured time', async () => {
  const daysIn = async (values: string) =>
    find(await render(values), 'ConfigMap', 'audit').data.AUDIT_RETENTION_DAYS;
  expect(await daysIn('minimal')).toBeUndefined();
  expect(await daysIn('everything-on')).toBe('400');
});
