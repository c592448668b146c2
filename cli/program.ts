import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError, Option } from 'commander';
import * as v from 'valibot';
import { Problem } from '../shared/contract/problems.ts';
import { registerAccess } from './commands/access.ts';
import { registerAdmin } from './commands/admin.ts';
import { registerArtifacts } from './commands/artifacts.ts';
import { registerChecks } from './commands/checks.ts';
import { registerComment } from './commands/comment.ts';
import { registerContext } from './commands/context.ts';
import { registerDeliveries } from './commands/deliveries.ts';
import { registerDiff } from './commands/diff.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerExplain } from './commands/explain.ts';
import { registerExport } from './commands/export.ts';
import { registerImpact } from './commands/impact.ts';
import { registerLogin } from './commands/login.ts';
import { registerMcp } from './commands/mcp.ts';
import { registerMemory } from './commands/memory.ts';
import { registerPlan } from './commands/plan.ts';
import { registerPolicy } from './commands/policy.ts';
import { registerProviders } from './commands/providers.ts';
import { registerPush } from './commands/push.ts';
import { registerSearch } from './commands/search.ts';
import { registerGaps, registerStatus } from './commands/status.ts';
import { registerTokens } from './commands/tokens.ts';
import { registerUnused } from './commands/unused.ts';
import { type Context, complain } from './framework.ts';
import { CommandError, type ExitCode, exitCodes } from './outcome.ts';
import { serviceError } from './service/service-error.ts';
import { printable, printableLines, type Terminal, write } from './terminal/terminal.ts';
import { version } from './version.ts';

/** In the order of the help, under its headings. */
const registrations = {
  'Connect:': [registerLogin, registerContext, registerStatus, registerDoctor],
  'Send and query lineage:': [
    registerPush,
    registerSearch,
    registerImpact,
    registerExplain,
    registerUnused,
    registerDiff,
    registerComment,
    registerExport,
  ],
  'Monitor and govern:': [
    registerDeliveries,
    registerProviders,
    registerGaps,
    registerChecks,
    registerPolicy,
    registerPlan,
    registerAccess,
    registerTokens,
  ],
  'Work with agents:': [registerMcp, registerArtifacts, registerMemory],
  'Run a deployment:': [registerAdmin],
};

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const context: Context = { terminal, exitCode: exitCodes.done };
  try {
    await programOf(context).parseAsync([...args], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    return failed(terminal, error);
  }
}

const completion = 'completion';

const everyCommand =
  '\nEvery command takes --workspace, --connector, --credentials, --profile, --json and more: tributary --help';

function programOf(context: Context): Command {
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
    .addHelpText('afterAll', ({ command }) => (command.parent ? everyCommand : ''))
    .showHelpAfterError('See --help.')
    .showSuggestionAfterError();
  for (const [heading, registers] of Object.entries(registrations)) {
    program.commandsGroup(heading);
    for (const register of registers) register(program, context);
  }
  program.commandsGroup('Other:');
  tab(program, { completionCommandName: completion });
  program.commands
    .find((one) => one.name() === completion)
    ?.description('prints the completion script of a shell: bash, zsh or fish');
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
      [`This is version ${version}; tributary status shows that of the service. At ${printable(path)}`],
    );
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new CommandError(exitCodes.unavailable, `tributary failed: ${printable(message)}`, [
    'TRIBUTARY_DEBUG=1 shows where.',
  ]);
}

/** commander has said it all; what it shows without a command was not asked for. */
const commanderExit = ({ code, exitCode }: CommanderError): ExitCode =>
  exitCode === 0 && code !== 'commander.help' ? exitCodes.done : exitCodes.usage;

function expected(error: unknown): CommandError | null {
  if (error instanceof CommandError) return error;
  const failure = serviceError(error);
  if (failure !== null || !(error instanceof Problem)) return failure;
  const places = error.errors.map(({ path, message }) => printable(`${path} ${message}`));
  const exitCode = error.status === 404 ? exitCodes.notFound : exitCodes.usage;
  return new CommandError(exitCode, printable(error.message), places);
}
