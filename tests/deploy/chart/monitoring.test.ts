import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits, operationList } from '@waymark/contracts';
import { parse } from 'yaml';
import { find, names } from '../support/manifests.ts';
import { chart, prepareTools, render, root } from '../support/render-chart.ts';

beforeAll(prepareTools);

describe('monitoring', () => {
  const declared = new Set<string>();
  beforeAll(() => {
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^(libs|services)\/[^/]+\/src\/.*\.ts$/.test(path),
    )) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [name] of text.matchAll(/(?<=')waymark_\w+(?=')/g)) declared.add(name);
    }
  });
  const usedIn = (text: string) =>
    [...text.matchAll(/waymark_[a-z_]+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, ''));

  test.each(['alerts.yaml', 'dashboard.json'])('%s queries only existing metrics', (file) => {
    const text = readFileSync(join(chart, 'files', file), 'utf8');
    expect(usedIn(text).filter((name) => !declared.has(name))).toEqual([]);
  });

  test('alerts detect a missing service or consumer', () => {
    const consumers = names.flatMap((name) => {
      const text = readFileSync(join(root, `services/${name}/src/service.ts`), 'utf8');
      return [...text.matchAll(/runtime\.consume\(\{ name: '(\w+)'/g)].map(([, consumer]) => consumer!);
    });
    expect(consumers.length).toBeGreaterThan(3);
    const { groups } = parse(readFileSync(join(chart, 'files/alerts.yaml'), 'utf8'));
    const missedBy = (alert: string) => {
      const { expr } = groups[0].rules.find((rule: { alert: string }) => rule.alert === alert);
      return expr.split(' or\n').map((part: string) => part.trim());
    };
    expect(missedBy('WaymarkServiceGone').sort()).toEqual(
      names
        .map((name) => `absent(waymark_store_up{namespace="$namespace", service="${name}", store="nats"})`)
        .sort(),
    );
    expect(missedBy('WaymarkConsumerGone').sort()).toEqual(
      consumers
        .map((name) => `absent(waymark_consumer_lag{namespace="$namespace", consumer="${name}"})`)
        .sort(),
    );
  });

  test('the latency alert excludes operations that are slow by nature', () => {
    const lasting = operationList.filter(
      ({ caller, bucket, response, takesLong, bodyLimitBytes = 0 }) =>
        caller !== 'service' &&
        (bucket === 'export' || takesLong || response.contentType || bodyLimitBytes > limits.bodyBytes),
    );
    const guide = readFileSync(join(root, 'docs/operating/kubernetes.md'), 'utf8');
    const [, excluded] = /seriesQuery: 'waymark_request_duration_seconds_sum\{.*operation!~"([\w|]+)"/.exec(
      guide,
    )!;
    expect(excluded!.split('|').sort()).toEqual(lasting.map(({ id }) => id).sort());
    for (const [file, times] of [
      ['alerts.yaml', 3],
      ['dashboard.json', 3],
    ] as const) {
      const text = readFileSync(join(chart, 'files', file), 'utf8');
      const quantiles = text.split('\n').filter((line) => /waymark_request_duration.*operation!~/.test(line));
      const left = quantiles.map((line) => /operation!~\\?"([\w|]+)\\?"/.exec(line)?.[1]?.split('|').sort());
      expect(left).toEqual(Array(times).fill(lasting.map(({ id }) => id).sort()));
    }
  });

  test('every alert has its section in docs/operating/alerts.md', () => {
    const read = (file: string) => parse(readFileSync(join(chart, 'files', file), 'utf8'));
    const rules = [...read('alerts.yaml').groups[0].rules, ...read('backup-alerts.yaml')[0].rules];
    const headings =
      readFileSync(join(root, 'docs/operating/alerts.md'), 'utf8').match(/^## Waymark\w+$/gm) ?? [];
    expect([...new Set(rules.map(({ alert }) => `## ${alert}`))]).toEqual(headings);
    for (const rule of rules) {
      expect(rule.annotations.runbook_url).toBe(`$runbooks#${rule.alert.toLowerCase()}`);
    }
  });

  test('alerts query one release by its namespace and carry that namespace as a label', async () => {
    const manifests = await render('everything-on');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
    const rules = rule.spec.groups.flatMap((group: { rules: object[] }) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, expr, labels } of rules) {
      expect([alert, labels.namespace]).toEqual([alert, 'work']);
      const asked = expr.match(/\b(waymark|nodejs|kube)[_:][\w:]+(\{namespace="work")?/g);
      expect(asked).not.toBeNull();
      for (const selector of asked)
        expect([alert, selector]).toEqual([alert, expect.stringContaining('"work"')]);
    }
  });

  test('alerts lead to the page that the product serves, unless another is named', async () => {
    const rule = (await render('single')).find(({ kind }) => kind === 'PrometheusRule')!;
    const links = [...JSON.stringify(rule).matchAll(/"runbook_url":"([^"]+)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(20);
    for (const link of links)
      expect(link).toMatch(/^https:\/\/waymark\.example\.com\/docs\/operating\/alerts#waymark[a-z]+$/);
  });

  test('rules and dashboard are rendered as they are in the chart', async () => {
    const manifests = await render('everything-on');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
    const read = (file: string) => readFileSync(join(chart, 'files', file), 'utf8');
    const written = read('alerts.yaml') + read('backup-alerts.yaml').replace(/^(?=.)/gm, '  ');
    const { minReplicas } = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')).defaults.autoscaling;
    const configured = written
      .replaceAll('$namespace', 'work')
      .replaceAll('$runbooks', 'https://git.example.com/waymark/alerts.md')
      .replaceAll('$fullname', 'waymark')
      .replaceAll('$minutes', String(27 * 60))
      .replaceAll('$state', 'verified')
      .replaceAll(/\$replicas\.\w+/g, minReplicas);
    expect(rule.spec).toEqual(parse(configured));
    expect(configured).toContain('service="notifications"}) < 2\n');
    const dashboard = find(manifests, 'ConfigMap', 'dashboard').data['waymark.json'];
    const runbooks = 'https://git.example.com/waymark/alerts.md';
    expect(JSON.parse(dashboard)).toEqual(
      JSON.parse(read('dashboard.json').replaceAll('$runbooks', runbooks)),
    );
  });

  test('the dashboard shows what each alert watches, and links to what to do', () => {
    const dashboard = readFileSync(join(chart, 'files/dashboard.json'), 'utf8');
    const { panels, links } = JSON.parse(dashboard) as {
      links: { url: string }[];
      panels: { id: number; gridPos: Record<'x' | 'y', number>; links?: { title: string; url: string }[] }[];
    };
    expect(links.map(({ url }) => url)).toEqual(['$runbooks']);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x}/${y}`)).size).toBe(panels.length);
    const guide = readFileSync(join(root, 'docs/operating/alerts.md'), 'utf8');
    for (const { title, url } of panels.flatMap((panel) => panel.links ?? [])) {
      expect(url).toBe(`$runbooks#${title.toLowerCase()}`);
      expect(guide).toContain(`\n## ${title}\n`);
    }
    const alerts = readFileSync(join(chart, 'files/alerts.yaml'), 'utf8');
    const metricsOf = (text: string) => [...text.matchAll(/waymark_[a-z_]+/g)].map(([name]) => name);
    const shown = metricsOf(dashboard);
    expect([...new Set(metricsOf(alerts))].filter((name) => !shown.includes(name))).toEqual([]);
    for (const name of ['waymark_backup_timestamp_seconds', 'waymark:requests_failed:rate5m'])
      expect(dashboard).toContain(name);
  });
});
