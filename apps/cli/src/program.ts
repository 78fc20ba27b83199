import { version } from '@waymark/service-kit/process';
import { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** The command line; each command is loaded when it is asked for. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('waymark')
    .description('What an operator of Waymark does beside the API.')
    .version(version);

  program
    .command('migrate')
    .description('Bring the databases of all services, or of those named, to the schema of this version')
    .argument('[services...]', 'accounts, decisions, ...')
    .option('--check', 'change nothing; exit with 1 while a migration is pending')
    .option('--wait', 'change nothing; wait until no migration is pending')
    .action(async (names: string[], options: { check?: boolean; wait?: boolean }) => {
      const { migrateDatabases } = await import('./commands/migrate.ts');
      await migrateDatabases(names, options, terminal);
    });

  const admin = program
    .command('admin')
    .description('Accounts and secrets, with the environment of the services');
  const commands = () => import('./commands/admin.ts');

  admin
    .command('create-owner')
    .description('Make a user with a workspace, whatever SIGN_UP says; prints the password once')
    .argument('<email>')
    .requiredOption('--name <name>', 'the person’s name')
    .option('--workspace <name>', 'the workspace’s name', 'Workspace')
    .action(async (email: string, options: { name: string; workspace: string }) =>
      (await commands()).createOwner(email, options, terminal),
    );

  admin
    .command('recover-password')
    .description('Give a user a new password, printed once, and end every session')
    .argument('<email>')
    .action(async (email: string) => (await commands()).recoverPassword(email, terminal));

  admin
    .command('change-plan')
    .description('Give a workspace another plan, whatever PLAN_CHANGES says')
    .argument('<workspace id>')
    .argument('<plan>', 'free, pro, business or enterprise')
    .action(async (workspaceId: string, plan: string) =>
      (await commands()).changePlan(workspaceId, plan, terminal),
    );

  admin
    .command('erase-person')
    .description('Erase what names a person in every service; the audit chains still verify')
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
      'The next value of a secret that rotates without downtime: add, roll, promote, roll, retire, roll',
    );
  const variable = 'IDENTITY_SECRETS, AUDIT_SIGNING_KEYS or WEBHOOK_ENCRYPTION_KEYS';
  for (const [step, description] of [
    ['add', 'Print the list in the environment with a fresh secret behind: accepted, not used yet'],
    ['promote', 'Print it with the last secret in front: used from now on, the others accepted'],
    ['retire', 'Print it without the others; audit keys stay as public keys'],
  ] as const) {
    secrets
      .command(step)
      .description(description)
      .argument('<variable>', variable)
      .option(
        '--patch [key]',
        'print a JSON patch of a Kubernetes Secret, which the cluster takes only while the key, by default of the variable’s name, holds what this command read',
      )
      .action(async (name: string, options: { patch?: string | true }) =>
        (await import('./commands/secrets.ts')).rotateSecret(step, name, options, terminal),
      );
  }

  program
    .command('audit')
    .description('The audit log')
    .command('verify')
    .description('Verify an export offline: every hash, every link, and its signed head')
    .argument('<export.ndjson>')
    .requiredOption(
      '--public-key <base64url>',
      'a trusted key; once more for each retired one',
      (key, others: string[] = []) => [...others, key],
    )
    .option('--head <file>', 'a head saved from before: it must be in the chain still')
    .action(async (path: string, options: { publicKey: string[]; head?: string }) =>
      (await import('./commands/audit.ts')).verifyAudit(path, options, terminal),
    );

  program
    .command('search')
    .description('The search projection')
    .command('rebuild')
    .description('Make it anew from the data services, while they and search serve')
    .action(async () => (await import('./commands/search.ts')).rebuildSearchProjection(terminal));

  const events = program
    .command('events')
    .description('Events that a service could not handle, and put aside');
  const eventCommands = () => import('./commands/events.ts');

  events
    .command('parked')
    .description('List them: number, consumer, when, what, and why')
    .action(async () => (await eventCommands()).listParkedEvents(terminal));

  events
    .command('replay')
    .description('Give them to their consumer again, once what was wrong is mended')
    .argument('[numbers...]', 'as listed')
    .option('--all', 'all that are parked now')
    .action(async (numbers: string[], options: { all?: boolean }) =>
      (await eventCommands()).replayParkedEvents(numbers, options, terminal),
    );

  events
    .command('discard')
    .description('Drop them for good: what can never be handled')
    .argument('<numbers...>', 'as listed')
    .action(async (numbers: string[]) => (await eventCommands()).discardParkedEvents(numbers, terminal));

  program
    .command('retention')
    .description('What is older than it is to be kept')
    .command('apply')
    .description('Remove audit entries older than AUDIT_RETENTION_DAYS; the audit chains still verify')
    .action(async () => (await import('./commands/retention.ts')).applyRetention(terminal));

  program
    .command('backup')
    .description('Write all databases, as of one moment, to an empty directory')
    .argument('<directory>')
    .action(async (directory: string) =>
      (await import('./commands/backup.ts')).backUpDatabases(directory, terminal),
    );

  program
    .command('restore')
    .description(
      'Fill empty databases from a backup, and migrate them; the services are stopped, NATS is empty',
    )
    .argument('<directory>')
    .action(async (directory: string) =>
      (await import('./commands/backup.ts')).restoreDatabases(directory, terminal),
    );

  return program;
}
