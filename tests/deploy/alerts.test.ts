import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { type Manifest, prepareTools, render, renderWith } from './support/render-chart.ts';
import { run } from './support/run.ts';
import { acquirePromtool } from './support/tools.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

type Rules = { groups: { name: string }[] };

const rulesIn = (manifests: Manifest[]): Rules =>
  manifests.find(({ kind }) => kind === 'PrometheusRule')!.spec;
const folder = testFolder();
await prepareTools();
const promtool = await acquirePromtool((line) => process.stderr.write(`${line}\n`));
const rules = rulesIn(await render('everything-on'));

type Series = Record<string, (minute: number) => number | undefined>;
/** The rules about backups alone: evaluated for days, all others would take half of the time of this file. */
const aboutBackups = ({ groups }: Rules): Rules => ({
  groups: groups.filter(({ name }) => name.startsWith('waymark-backups')),
});

/** Returns the series of the gateway's requests: `perMinute` of them, of which shares fail and are slow. */
function requests(
  perMinute: number,
  { failed = () => 0, slow = () => 0 }: Record<string, (minute: number) => number>,
): Series {
  const counted = (share: (minute: number) => number) => {
    let total = 0;
    // The first failure creates the series.
    return (minute: number) => {
      total += perMinute * share(minute);
      return total === 0 ? undefined : total;
    };
  };
  const of = (name: string, status: string, more = '') =>
    `waymark_request_duration_seconds_${name}{namespace="work",service="gateway",operation="listDecisions",status="${status}"${more}}`;
  return {
    [of('count', '200')]: counted((minute) => 1 - failed(minute)),
    [of('count', '503')]: counted(failed),
    [of('bucket', '200', ',le="1.0"')]: counted((minute) => 1 - failed(minute) - slow(minute)),
    [of('bucket', '503', ',le="1.0"')]: counted(failed),
  };
}

const store = (name: string, isUp: (minute: number) => boolean): Series => ({
  [`waymark_store_up{namespace="work",service="decisions",pod="a",store="${name}"}`]: (minute) =>
    Number(isUp(minute)),
});

/** Runs the rules each minute and checks which alerts fire when, besides those for missing metrics. */
async function expectAlerts(
  series: Series,
  firing: Record<number, string[]>,
  severity = '.*',
  evaluated = rules,
) {
  const minutes = Math.max(...Object.keys(firing).map(Number)) + 1;
  const other = `alertstate="firing",alertname!~"WaymarkServiceGone|WaymarkConsumerGone",severity=~"${severity}"`;
  const ruleFile = join(folder, 'rules.json');
  writeFileSync(ruleFile, JSON.stringify(evaluated));
  const test = {
    rule_files: [ruleFile],
    evaluation_interval: '1m',
    // Otherwise promtool evaluates them in any order, which moves an alert by a minute.
    group_eval_order: evaluated.groups.map(({ name }) => name),
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, valueAt]) => ({
          series: name,
          values: Array.from({ length: minutes }, (_, minute) => valueAt(minute) ?? '_').join(' '),
        })),
        promql_expr_test: Object.entries(firing).map(([minute, alerts]) => ({
          expr: `count by (alertname, severity) (ALERTS{${other}})`,
          eval_time: `${minute}m`,
          exp_samples: alerts.map((alert) => {
            const [alertname, severity] = alert.split(' ');
            return { labels: `{alertname="Waymark${alertname}",severity="${severity}"}`, value: 1 };
          }),
        })),
      },
    ],
  };
  const file = join(folder, 'test.json');
  writeFileSync(file, JSON.stringify(test));
  // promtool allocates at each simulated step. It collects garbage when its heap has grown by 800%.
  expect(await run(promtool, ['test', 'rules', file], { GOGC: '800' })).toMatchObject({
    code: 0,
    output: expect.not.stringContaining('FAILED'),
  });
}

const during = (from: number, to: number) => (minute: number) => minute >= from && minute < to;
const shareDuring = (share: number, from: number, to: number) => (minute: number) =>
  during(from, to)(minute) ? share : 0;

describe.each([
  ['quiet', 1],
  ['medium', 600],
  ['busy', 30_000],
])('a %s installation, with %i requests a minute', (_, perMinute) => {
  test('alerts two minutes after MongoDB is down, then when requests fail, until both end', async () => {
    const isDown = during(HOUR, HOUR + 30);
    const series = {
      ...requests(perMinute, { failed: shareDuring(1, HOUR, HOUR + 30) }),
      ...store('mongodb', (minute) => !isDown(minute)),
    };
    const firing = {
      [HOUR - 1]: [],
      [HOUR + 2]: ['StoreDown critical'],
      [HOUR + 10]: ['RequestsFail critical', 'StoreDown critical'],
      [HOUR + 31]: ['RequestsFail critical'],
      // The window of 30 minutes has passed.
      [HOUR + 65]: [],
    };
    await expectAlerts(series, firing, 'critical');
  });

  test('alerts when most requests are slow', async () => {
    const series = requests(perMinute, { slow: shareDuring(0.9, HOUR, 2 * HOUR) });
    const firing = { [HOUR - 1]: [], [HOUR + 25]: ['RequestsSlow critical'], [2 * HOUR + 40]: [] };
    await expectAlerts(series, firing, 'critical');
  });

  test('does not alert in normal operation', async () => {
    const minutes = 2 * HOUR;
    const fine = requests(perMinute, { failed: () => 0.0005, slow: () => 0.005 });
    await expectAlerts(fine, { [HOUR]: [], [minutes]: [] });
  });
});

test('two failed requests on a quiet day do not alert', async () => {
  const failed = (minute: number) => (minute === HOUR || minute === HOUR + 1 ? 1 : 0);
  await expectAlerts(requests(1, { failed }), { [HOUR + 3]: [], [HOUR + 30]: [] });
});

test('a few failures all day use up the budget and warn', async () => {
  const series = requests(600, { failed: () => 0.004, slow: () => 0.035 });
  const warnings = ['ErrorBudgetShrinks warning', 'LatencyBudgetShrinks warning'];
  await expectAlerts(series, { [DAY]: warnings });
});

test('one store after the other is named, and Redis only warns', async () => {
  await expectAlerts(
    { ...store('redis', (minute) => minute < 10), ...store('nats', () => true) },
    { 9: [], 12: ['StoreDown warning'] },
  );
  await expectAlerts(
    store('nats', (minute) => minute < 10),
    { 12: ['StoreDown critical'] },
  );
});

test('one event that NATS does not accept, as with a full disk, alerts until it is published', async () => {
  const oldest = 'waymark_outbox_oldest_pending_seconds{namespace="work",service="decisions",pod="a"}';
  const pending = oldest.replace('oldest_pending_seconds', 'pending');
  const waits = during(10, 30);
  const series = {
    [oldest]: (minute: number) => (waits(minute) ? (minute - 10) * 60 : 0),
    [pending]: (minute: number) => Number(waits(minute)),
    ...store('nats', () => true),
  };
  await expectAlerts(series, { 13: [], 17: ['EventsWaitInOutbox critical'], 31: [] });
  const failed = oldest.replace('oldest_pending_seconds', 'publish_failed_total');
  const refusing = { ...series, [failed]: (minute: number) => Math.max(0, minute - 10) };
  await expectAlerts(refusing, { 10: [], 13: ['EventsWaitInOutbox critical'], 31: [] });
});

test('mail that waits for more than ten minutes warns until it is sent', async () => {
  const oldest = 'waymark_mail_oldest_waiting_seconds{namespace="work",service="accounts",pod="a"}';
  const series = { [oldest]: (minute: number) => (minute < 30 ? minute * 60 : 0) };
  await expectAlerts(series, { 10: [], 17: ['MailLate warning'], 31: [] });
});

test('a certificate warns two weeks before its end, and is critical afterwards', async () => {
  const expiry = 'waymark_certificate_expiry_timestamp_seconds{namespace="work",service="audit",pod="a"}';
  // Of certificates that end in 15 and in 10 days, an hour ago, and in 90 days.
  const ends = [15 * DAY, 10 * DAY, -HOUR, 90 * DAY];
  const series = { [expiry]: (minute: number) => 60 * (minute + ends[Math.floor(minute / 10)]!) };
  const firing = { 9: [], 11: ['CertificateExpires warning'], 21: ['CertificateExpired critical'], 31: [] };
  await expectAlerts(series, firing);
});

test('one refused identity is critical for two minutes', async () => {
  const refused =
    'waymark_identity_refused_total{namespace="work",service="decisions",pod="a",caller="gateway"}';
  const series = { [refused]: (minute: number) => Number(minute >= 10) };
  await expectAlerts(series, { 9: [], 10: ['IdentityRefused critical'], 13: [] });
});

test('one of two replicas that is missing for five minutes warns', async () => {
  const info = (pod: string) =>
    `waymark_build_info{namespace="work",service="audit",version="1",pod="${pod}"}`;
  const series = { [info('a')]: () => 1, [info('b')]: (minute: number) => (minute < 20 ? 1 : undefined) };
  await expectAlerts(series, { 19: [], 31: ['ReplicaMissing warning'] });
});

test('warns while the newest scheduled doctor has failed, not for a failure before the last success', async () => {
  const job = (name: string, startedAt: number): Series => ({
    [`kube_job_status_start_time{namespace="work",job_name="waymark-doctor-${name}"}`]: (minute) =>
      minute < startedAt ? undefined : startedAt * 60,
    [`kube_job_failed{namespace="work",job_name="waymark-doctor-${name}",condition="true"}`]: (minute) =>
      minute < startedAt ? undefined : 1,
  });
  const succeeded = 'kube_cronjob_status_last_successful_time{namespace="work",cronjob="waymark-doctor"}';
  const series = {
    ...job('1', 10),
    ...job('2', 40),
    [succeeded]: (minute: number) => (minute < 25 ? undefined : 25 * 60),
  };
  const firing = { 9: [], 11: ['DoctorFailed warning'], 26: [], 41: ['DoctorFailed warning'] };
  await expectAlerts(series, firing);
});

test('alerts when no backup was verified for 27 hours, or none ever', async () => {
  const name = 'waymark_backup_timestamp_seconds{namespace="work",service="transfer",state="verified"}';
  // One at the start, the next after 28 hours.
  const series = { [name]: (minute: number) => (minute < 28 * HOUR ? 0 : 28 * HOUR * 60) };
  const firing = { [27 * HOUR]: [], [27 * HOUR + 1]: ['BackupOld critical'], [28 * HOUR + 1]: [] };
  await expectAlerts(series, firing, '.*', aboutBackups(rules));
  const never = { [27 * HOUR - 1]: [], [27 * HOUR + 1]: ['BackupOld critical'] };
  await expectAlerts(
    store('mongodb', () => true),
    never,
    '.*',
    aboutBackups(rules),
  );
});

test('alerts when the changes between backups end 30 minutes ago, or none were ever kept', async () => {
  const oplog = 'evaluation.enabled=false,backup.oplog.schedule=*/5 * * * *';
  const withOplog = aboutBackups(rulesIn(await renderWith('everything-on', '--set', oplog)));
  const time = (state: string) =>
    `waymark_backup_timestamp_seconds{namespace="work",service="transfer",state="${state}"}`;
  const verified = { [time('verified')]: () => 0 };
  // Nothing is kept for an hour.
  const kept = (minute: number) => 60 * (during(HOUR, 2 * HOUR)(minute) ? HOUR - 1 : minute);
  const ends = {
    [HOUR + 29]: [],
    [HOUR + 30]: ['BackupOld critical'],
    [2 * HOUR - 1]: ['BackupOld critical'],
    [2 * HOUR]: [],
  };
  await expectAlerts({ ...verified, [time('oplog')]: kept }, ends, '.*', withOplog);
  await expectAlerts(verified, { 29: [], 30: ['BackupOld critical'] }, '.*', withOplog);
});
