import { type Command, InvalidArgumentError } from 'commander';
import type { BackupOptions, Restored } from '../commands/backup.ts';
import type { SizeOptions } from '../commands/size.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { OPERATOR_COMMANDS } from './run-program.ts';

const PLACE = 'a folder, or s3://bucket/prefix';
const RECIPIENT = 'encrypt it with age; repeat it for each recipient, or set BACKUP_RECIPIENTS';
const UNTIL =
  'the state of this moment: the last backup before it, and the changes since that backup oplog kept';
const IDENTITY = 'the age identity file of an encrypted backup; or set BACKUP_IDENTITY to the identity';

function positive(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 9999.');
  return Number(text);
}

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number of at most nine digits.');
  return Number(text);
}

const repeated = (one: string, others: string[] = []) => [...others, one];

function moment(text: string): Date {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(text);
  if (isMoment && !Number.isNaN(Date.parse(text))) return new Date(text);
  throw new InvalidArgumentError('It is a time in whole seconds with its zone: 2026-11-24T01:30:00Z.');
}

const backupCommands = () => import('../commands/backup.ts');

/** Adds the commands that work on databases beside the services. Each one is loaded when it runs. */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  program.commandsGroup(OPERATOR_COMMANDS);

  program
    .command('migrate')
    .description('Migrate the databases of all services, or of the named ones, to the schema of this version')
    .argument('[services...]', 'accounts, decisions, ...')
    .option('--check', 'change nothing; exit with 1 if a migration is pending')
    .option('--wait', 'change nothing; wait until no migration is pending')
    .action(async (names: string[], options: { check?: boolean; wait?: boolean }) => {
      const { migrateDatabases } = await import('../commands/migrate.ts');
      await migrateDatabases(names, options, terminal);
    });

  program
    .command('all')
    .description('Run all services in one process, for a small installation')
    .action(async () => (await import('../commands/all.ts')).runAll());

  program
    .command('status')
    .description(
      'Show the state of stores, databases and events on one screen; changes nothing. Exits as doctor',
    )
    .action(async () => (await import('../commands/doctor.ts')).showStatus(terminal));

  program
    .command('doctor')
    .description(
      'Find problems, in the words of the alerts, with the command that fixes each; changes nothing. Exits with 0 for nothing, 2 for warnings, 3 for something critical',
    )
    .option('--backup <place>', 'the latest backup or their series; it should be younger than 25 hours')
    .action(async (options: { backup?: string }) =>
      (await import('../commands/doctor.ts')).examine(options, terminal),
    );

  program
    .command('size')
    .description('Print values of the chart for a load, computed from measured processor time')
    .requiredOption('--rps <number>', 'requests per second at the peak', count)
    .requiredOption('--decisions <number>', 'decisions stored, of all workspaces', count)
    .requiredOption('--endpoints <number>', 'webhook endpoints that receive each change', count)
    .option('--writes <percent>', 'how many of 100 requests change something', count, 10)
    .option('--single', 'one pod for all services, where an interruption of some seconds is acceptable')
    .action(async (options: SizeOptions) =>
      (await import('../commands/size.ts')).printSize(options, terminal),
    );

  const admin = program
    .command('admin')
    .description('Manage accounts and secrets, with the environment of the services');
  const commands = () => import('../commands/admin.ts');

  admin
    .command('create-owner')
    .description('Create a user with a workspace, even if SIGN_UP is closed; prints the password once')
    .argument('<email>')
    .requiredOption('--name <name>', 'the name of the person')
    .option('--workspace <name>', 'the name of the workspace', 'Workspace')
    .action(async (email: string, options: { name: string; workspace: string }) =>
      (await commands()).createOwner(email, options, terminal),
    );

  admin
    .command('recover-password')
    .description('Replace a user’s password, print it once, and end every session, passkey and grant')
    .argument('<email>')
    .action(async (email: string) => (await commands()).recoverPassword(email, terminal));

  admin
    .command('remove-totp')
    .description('Remove a lost authenticator app with its recovery codes, and end every session')
    .argument('<email>')
    .action(async (email: string) => (await commands()).removeTotp(email, terminal));

  admin
    .command('change-plan')
    .description('Change the plan of a workspace, whatever PLAN_CHANGES is')
    .argument('<workspace id>')
    .argument('<plan>', 'free, pro, business or enterprise')
    .action(async (workspaceId: string, plan: string) =>
      (await commands()).changePlan(workspaceId, plan, terminal),
    );

  admin
    .command('erase-person')
    .description('Erase the data that identify a person in every service; the audit chains still verify')
    .argument('<email or id>')
    .action(async (emailOrId: string) => (await commands()).erasePerson(emailOrId, terminal));

  admin
    .command('rotate-webhook-secrets')
    .description(
      'Encrypt all webhook secrets with the first of WEBHOOK_ENCRYPTION_KEYS, while the services run',
    )
    .action(async () => (await commands()).rotateWebhookSecrets(terminal));

  const secrets = program
    .command('secrets')
    .description(
      'Rotate a secret without downtime: add, restart, promote, restart, retire, restart the services',
    );
  const variable =
    'IDENTITY_PRIVATE_KEYS (of all services), CURSOR_SECRETS, AUDIT_SIGNING_KEYS or WEBHOOK_ENCRYPTION_KEYS';
  for (const [step, description] of [
    ['add', 'Print the list with a new secret at the end: accepted, but not used yet'],
    ['promote', 'Print the list with the last secret first: used from now on, the others still accepted'],
    ['retire', 'Print the list with its first secret only; other audit keys stay as public keys'],
  ] as const) {
    secrets
      .command(step)
      .description(description)
      .argument('<variable>', variable)
      .option(
        '--patch [key]',
        'print a JSON patch for a Kubernetes Secret, which applies only while the key (by default the name of the variable) has the value that this command read',
      )
      .action(async (name: string, options: { patch?: string | true }) =>
        (await import('../commands/secrets.ts')).rotateSecret(step, name, options, terminal),
      );
  }

  const audit = program.command('audit').description('Check the audit log, and repair it');
  const auditCommands = () => import('../commands/audit.ts');

  audit
    .command('resume')
    .description(
      'Let stopped chains accept entries again: let audit read the events again that it lacks, sign a segment that names the gap, then append the held events',
    )
    .argument('[chains...]', 'ids of workspaces, or chains as user:<id>')
    .option('--all', 'all chains that are stopped now')
    .option('--no-refill', 'read no events again: entries that the database has lost stay lost')
    .action(async (chains: string[], options: { all?: boolean; refill: boolean }) =>
      (await auditCommands()).resumeChains(chains, options, terminal),
    );

  audit
    .command('refill')
    .description('Deliver the events of the outboxes and the event stream again; known events are skipped')
    .action(async () => (await auditCommands()).refillAuditLog(terminal));

  audit
    .command('verify')
    .description('Verify an export offline: every hash, every link and the signed head')
    .argument('<export.ndjson>')
    .requiredOption('--public-key <base64url>', 'a trusted key; repeat it for each retired key', repeated)
    .option('--head <file>', 'a head that was saved earlier and must still be in the chain')
    .option('--workspace <export.json>', 'show who approved which text of its decisions')
    .action(async (path: string, options: { publicKey: string[]; head?: string; workspace?: string }) =>
      (await auditCommands()).verifyAudit(path, options, terminal),
    );

  program
    .command('search')
    .description('Maintain the search index')
    .command('rebuild')
    .description('Rebuild it from the data services, while all services run')
    .action(async () => (await import('../commands/search.ts')).rebuildSearchProjection(terminal));

  const events = program
    .command('events')
    .description('Manage parked events, which a service could not handle, and the events that services read');
  const eventCommands = () => import('../commands/events.ts');

  events
    .command('parked')
    .description('List them: number, consumer, time, event and error')
    .action(async () => (await eventCommands()).listParkedEvents(terminal));

  events
    .command('replay')
    .description('Deliver them to their consumer again, after the cause is fixed')
    .argument('[numbers...]', 'as listed')
    .option('--all', 'all events that are parked now')
    .action(async (numbers: string[], options: { all?: boolean }) =>
      (await eventCommands()).replayParkedEvents(numbers, options, terminal),
    );

  events
    .command('discard')
    .description('Delete events that can never be handled')
    .argument('<numbers...>', 'as listed')
    .action(async (numbers: string[]) => (await eventCommands()).discardParkedEvents(numbers, terminal));

  events
    .command('refill')
    .description('Let a service read all events of NATS again, after its database was set back')
    .argument(
      '<consumer>',
      'event_log, notifications, search, threads or webhooks; for audit: waymark audit refill',
    )
    .action(async (consumer: string) => (await eventCommands()).refillConsumer(consumer, terminal));

  const retention = program.command('retention').description('Remove expired data, or hold it');
  const retentionCommands = () => import('../commands/retention.ts');

  for (const [step, description] of [
    ['hold', 'Keep deleted records of a workspace in the trash until the hold ends'],
    ['release', 'End the hold: the next purge removes deleted records that are old enough'],
  ] as const) {
    retention
      .command(step)
      .description(description)
      .argument('<workspace id>', 'or all, for every workspace')
      .action(async (workspaceId: string) =>
        (await retentionCommands()).holdDeleted(workspaceId, step === 'hold', terminal),
      );
  }

  retention
    .command('apply')
    .description('Remove audit entries older than AUDIT_RETENTION_DAYS; the audit chains still verify')
    .action(async () => (await retentionCommands()).applyRetention(terminal));

  const backup = program
    .command('backup')
    .enablePositionalOptions()
    .description('Write a consistent snapshot of all databases to an empty place')
    .argument('<place>', PLACE)
    .option('--recipient <age1...>', RECIPIENT, repeated)
    .option(
      '--keep <number>',
      'write into a series: a new folder of the place named by the time; then remove all but the newest',
      positive,
    )
    .option('--verify', 'then verify it, before others are removed')
    .option('--identity <file>', IDENTITY)
    .action(async (place: string, options: BackupOptions) =>
      (await backupCommands()).backUpDatabases(place, options, terminal),
    );

  backup
    .command('oplog')
    .description(
      'Add the changes since the newest backup, or since the last run, to a series: restore --until needs it',
    )
    .argument('<place>', PLACE)
    .option('--recipient <age1...>', RECIPIENT, repeated)
    .action(async (place: string, options: { recipient?: string[] }) =>
      (await backupCommands()).backUpChanges(place, options, terminal),
    );

  backup
    .command('verify')
    .description(
      'Restore a backup, or the newest of a series, into temporary databases; verify its counts and audit chains',
    )
    .argument('<place>', PLACE)
    .option('--until <time>', UNTIL, moment)
    .option('--identity <file>', IDENTITY)
    .action(async (place: string, options: Restored) =>
      (await backupCommands()).verifyBackup(place, options, terminal),
    );

  backup
    .command('extract')
    .description('Write one workspace of a backup to a new file, which can be imported')
    .argument('<place>', PLACE)
    .argument('<workspace>', 'its id')
    .argument('<file>', 'of JSON, as GET /export')
    .option('--until <time>', UNTIL, moment)
    .option('--identity <file>', IDENTITY)
    .action(async (place: string, workspace: string, file: string, options: Restored) =>
      (await backupCommands()).extractWorkspace(place, workspace, file, options, terminal),
    );

  program
    .command('restore')
    .description(
      'Restore a backup, or the newest of a series, into empty databases and migrate them; stop the services and empty NATS first',
    )
    .argument('<place>', PLACE)
    .option('--until <time>', UNTIL, moment)
    .option('--identity <file>', IDENTITY)
    .option('--again', 'drop the data that an unfinished restore left in the databases')
    .action(async (place: string, options: Restored & { again?: boolean }) =>
      (await backupCommands()).restoreDatabases(place, options, terminal),
    );
}
