import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { ListenOptions } from '../commands/listen.ts';
import type { McpOptions } from '../commands/mcp.ts';
import type { TriggerOptions } from '../commands/trigger.ts';
import { type Shell, shells } from '../completion/shells.ts';
import type { LoginOptions } from '../profiles/login.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ApplyOptions } from '../workspace-file/apply.ts';
import type { PullOptions } from '../workspace-file/pull.ts';

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It is a whole number of at most six digits.');
  return Number(text);
}

/** Adds the commands that call the API, except those of its operations. Each one is loaded when it runs. */
export function addUserCommands(program: Command, terminal: Terminal): void {
  program.commandsGroup('Commands for users:');

  program
    .command('login')
    .description('Sign in to an installation in the browser, and store its API key as a profile')
    .argument('[url]', 'the address of the installation; by default WAYMARK_URL, or else that of the profile')
    .option('--key', 'read an API key from standard input instead of opening a browser')
    .option('--device', 'show a code to enter in a browser on another machine; the default over SSH')
    .option('--read-only', 'ask for a key that cannot change anything')
    .option('--no-browser', 'print the address instead of opening it; the browser runs on this machine')
    .option('--ca-file <file>', 'trust this authority too, in PEM; the profile remembers it')
    .option('--profile <name>', 'store it under this name, which commands use from now on')
    .action(async (url: string | undefined, options: LoginOptions) =>
      (await import('../profiles/login.ts')).login(url, options, terminal),
    );

  program
    .command('logout')
    .description('Remove the key of a profile from this machine')
    .option('--profile <name>', 'by default, the profile in use')
    .action(async ({ profile }: { profile?: string }) =>
      (await import('../profiles/logout.ts')).logout(profile, terminal),
    );

  const profiles = program
    .command('profiles')
    .description('List the profiles; * marks the one in use')
    .action(async () => (await import('../profiles/profiles.ts')).listProfiles(terminal));

  profiles
    .command('use')
    .description('Use another profile from now on')
    .argument('<name>')
    .action(async (name: string) => (await import('../profiles/profiles.ts')).selectProfile(name, terminal));

  program
    .command('listen')
    .description(
      'Send the events of the workspace to a URL of yours as they happen, signed like webhook deliveries, or print them',
    )
    .option('--forward-to <url>', 'such as http://localhost:3000/hook')
    .option('--print', 'print each event as a line of JSON')
    .option('--events <types>', 'only these, such as decision.created,decision.updated', (text) =>
      text.split(','),
    )
    .option('--replay <number>', 'first send the latest events once more', wholeNumber, 0)
    .option('--header-prefix <prefix>', 'of the signature, if the operator has set another', 'X-Waymark-')
    .option('--profile <name>', 'by default, the profile in use')
    .action(async ({ profile, ...options }: ListenOptions & { profile?: string }) => {
      const { connectionOf } = await import('../profiles/connection.ts');
      const { listen } = await import('../commands/listen.ts');
      await listen(options, await connectionOf(terminal, profile), terminal);
    });

  program
    .command('trigger')
    .description('Send an example of an event to a URL of yours, signed like a webhook delivery')
    .argument('<event>', 'its type, such as decision.created')
    .requiredOption('--forward-to <url>', 'such as http://localhost:3000/hook')
    .option('--header-prefix <prefix>', 'of the signature, if the operator has set another', 'X-Waymark-')
    .addHelpText('after', '\nWEBHOOK_SECRET signs it, if it is set; else the secret is new, and shown.')
    .action(async (event: string, options: TriggerOptions) =>
      (await import('../commands/trigger.ts')).trigger(event, options, terminal),
    );

  program
    .command('mcp')
    .description(
      'Serve tools for language models on stdin and stdout, to a client that starts this command (MCP)',
    )
    .option('--writes', 'offer the tools that change something, if the server and the key allow it', false)
    .option('--profile <name>', 'by default, the profile in use')
    .action(async (options: McpOptions) => (await import('../commands/mcp.ts')).bridgeMcp(options, terminal));

  program
    .command('apply')
    .description('Make webhooks, members and service accounts of the workspace as in a file')
    .requiredOption('-f, --file <file>', 'the file, in YAML; - for standard input')
    .option('--dry-run', 'show what would change, and exit with 8 if anything would', false)
    .option('--prune', 'remove records that the lists of the file lack; without it, they stay', false)
    .option('--yes', 'do not ask before it removes something')
    .option('--secrets <file>', 'add signing secrets and invitation links to a file that only you can read')
    .option('--profile <name>', 'by default, the profile in use')
    .action(async (options: ApplyOptions) =>
      (await import('../workspace-file/apply.ts')).apply(options, terminal),
    );

  program
    .command('pull')
    .description('Write the file for apply, as the workspace is now')
    .option('-o, --output <file>', 'write into a file, which is complete or not there')
    .option('--profile <name>', 'by default, the profile in use')
    .action(async (options: PullOptions) =>
      (await import('../workspace-file/pull.ts')).pull(options, terminal),
    );

  program
    .command('completion')
    .description('Print the completion of a shell: eval "$(waymark completion bash)"')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell: Shell) =>
      (await import('../completion/completion.ts')).printCompletion(shell, terminal),
    );

  program
    .command('complete', { hidden: true })
    .description('Print the possible next words; the scripts of completion call it')
    .argument('[words...]')
    .allowUnknownOption()
    .passThroughOptions()

    .action(async (words: string[]) =>
      (await import('../completion/complete.ts')).complete(words, program, terminal),
    );
}
