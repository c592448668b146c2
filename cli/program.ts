import tab from '@bomb.sh/tab/commander';
import { type AddHelpTextContext, Command, CommanderError, Option } from 'commander';
import * as v from 'valibot';
import { Problem } from '../shared/contract/problems.ts';
import { type Context, complain } from './framework.ts';
import { CommandError, type ExitCode, exitCodes } from './outcome.ts';
import { serviceError } from './service/service-error.ts';
import { printable, printableLines, type Terminal, write } from './terminal/terminal.ts';
import { version } from './version.ts';

/** In the order of the help, under its headings: a command loads only its own code. */
const commands = {
  'Connect:': {
    login: async () => (await import('./commands/login.ts')).registerLogin,
    context: async () => (await import('./commands/context.ts')).registerContext,
    status: async () => (await import('./commands/status.ts')).registerStatus,
    doctor: async () => (await import('./commands/doctor.ts')).registerDoctor,
  },
  'Send and query lineage:': {
    push: async () => (await import('./commands/push.ts')).registerPush,
    search: async () => (await import('./commands/search.ts')).registerSearch,
    impact: async () => (await import('./commands/impact.ts')).registerImpact,
    explain: async () => (await import('./commands/explain.ts')).registerExplain,
    unused: async () => (await import('./commands/unused.ts')).registerUnused,
    diff: async () => (await import('./commands/diff.ts')).registerDiff,
    comment: async () => (await import('./commands/comment.ts')).registerComment,
    export: async () => (await import('./commands/export.ts')).registerExport,
  },
  'Monitor and govern:': {
    deliveries: async () => (await import('./commands/deliveries.ts')).registerDeliveries,
    providers: async () => (await import('./commands/providers.ts')).registerProviders,
    gaps: async () => (await import('./commands/status.ts')).registerGaps,
    checks: async () => (await import('./commands/checks.ts')).registerChecks,
    policy: async () => (await import('./commands/policy.ts')).registerPolicy,
    plan: async () => (await import('./commands/plan.ts')).registerPlan,
    access: async () => (await import('./commands/access.ts')).registerAccess,
    tokens: async () => (await import('./commands/tokens.ts')).registerTokens,
  },
  'Work with agents:': {
    mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
    artifacts: async () => (await import('./commands/artifacts.ts')).registerArtifacts,
    memory: async () => (await import('./commands/memory.ts')).registerMemory,
  },
  'Run a deployment:': {
    admin: async () => (await import('./commands/admin.ts')).registerAdmin,
  },
};

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const context: Context = { terminal, exitCode: exitCodes.done };
  try {
    const program = await programOf(context, args[0]);
    await program.parseAsync([...args], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    return failed(terminal, error);
  }
}

const completion = 'completion';

const everyCommand =
  '\nEvery command takes --workspace, --connector, --credentials, --profile, --json and more: tributary --help';

/** Refuses to show the help of a command for one that it does not have. */
function unknownCommand({ command }: AddHelpTextContext): string {
  const takesNames = command.commands.length > 0 && command.registeredArguments.length === 0;
  const name = takesNames ? command.args.find((one) => one !== 'help') : undefined;
  if (name !== undefined && !name.startsWith('-')) command.error(`error: unknown command '${name}'`);
  return '';
}

/** @param name the command that is run; all commands are loaded if it is none */
async function programOf(context: Context, name: string | undefined): Promise<Command> {
  const { terminal } = context;
  const program = new Command('tributary')
    .description('Sends lineage to a Tributary service, and shows what feeds a table and what breaks if it changes.')
    .version(version)
    .option('--url <url>', 'address of the service (TRIBUTARY_URL)')
    .option('--token <token>', 'access token; prefer the variable TRIBUTARY_TOKEN')
    .option('--credentials <file>', 'credentials file that a local service wrote (TRIBUTARY_CREDENTIALS)')
    .option('--profile <name>', 'profile that tributary login saved')
    .option('--workspace <id|name>', 'workspace to use (TRIBUTARY_WORKSPACE)')
    .option('--connector <id|name>', 'connector to use (TRIBUTARY_CONNECTOR)')
    .option('--json', 'print one JSON document')
    .addOption(new Option('--json-lines', 'print lists as one JSON document per line').conflicts('json'))
    .option('--quiet', 'no progress and no warnings')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => void terminal.messages.write(text),
    })
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
    .addHelpText('beforeAll', unknownCommand)
    .addHelpText('afterAll', ({ command }) => (command.parent ? everyCommand : ''))
    .showHelpAfterError('See --help.')
    .showSuggestionAfterError();
  const isKnown = Object.values(commands).some((group) => name !== undefined && Object.hasOwn(group, name));
  for (const [heading, group] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const [own, load] of Object.entries(group)) if (!isKnown || own === name) (await load())(program, context);
  }
  program.commandsGroup('Other:');
  tab(program, { completionCommandName: completion });
  program.commands
    .find((one) => one.name() === completion)
    ?.description('prints the completion script of a shell: bash, zsh, fish or powershell');
  program.addHelpCommand(new Command('help').argument('[command]').description('shows the help of a command'));
  return program;
}

async function failed(terminal: Terminal, error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return commanderExit(error);
  const known = expected(error) ?? unexpected(error);
  await complain(terminal, known);
  if (terminal.env['TRIBUTARY_DEBUG'] && error instanceof Error)
    await write(terminal.messages, `${printableLines(error.stack ?? '')}\n`);
  return known.exitCode;
}

/** A fault of the service or of this program: said in a line, with how to learn more. */
function unexpected(error: unknown): CommandError {
  if (v.isValiError(error)) {
    const path = error.issues.map((issue: v.BaseIssue<unknown>) => v.getDotPath(issue) ?? '').join(', ');
    return new CommandError(
      exitCodes.unavailable,
      'The service sent a response that this version of tributary cannot read.',
      [`This is version ${version}; tributary status shows that of the service. At ${printable(path) || 'its start'}`],
    );
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new CommandError(exitCodes.unavailable, `tributary failed: ${printable(message)}`, [
    'TRIBUTARY_DEBUG=1 shows where.',
  ]);
}

/** commander has printed everything, also the help instead of a missing command. */
const commanderExit = ({ exitCode }: CommanderError): ExitCode => (exitCode === 0 ? exitCodes.done : exitCodes.usage);

function expected(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  const failure = serviceError(error);
  if (failure !== null || !(error instanceof Problem)) return failure;
  const places = error.errors.map(({ path, message }) => `${path} ${message}`.trim());
  const exitCode = error.status === 404 ? exitCodes.notFound : exitCodes.usage;
  const hints = error.hint === null ? places : [...places, error.hint];
  return new CommandError(exitCode, printable(error.message), hints.map(printable));
}
