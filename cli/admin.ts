import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { registry } from '../shared/adapters/dynamodb/registry.ts';
import { collectionProjectCommands } from './admin/collection.ts';
import { collectionKeyCommands } from './admin/collection-keys.ts';
import { type Command, type Commands, type Option, options, UsageError, type Values } from './admin/command.ts';
import { connectorCommands } from './admin/connectors.ts';
import { operationCommands } from './admin/operations.ts';
import { forPeople, forPrograms } from './admin/print.ts';
import { rebuildCommands } from './admin/rebuild.ts';
import { linkedProjectCommands, memberCommands, workspaceCommands } from './admin/workspaces.ts';
import { type Connection, connect } from './connect.ts';

const commands: Commands = {
  ...workspaceCommands,
  ...memberCommands,
  ...connectorCommands,
  ...linkedProjectCommands,
  ...collectionProjectCommands,
  ...collectionKeyCommands,
  ...operationCommands,
  ...rebuildCommands,
};

const everywhere: readonly Option[] = ['credentials', 'tenant', 'actor', 'json', 'help'];

/** Runs `tributary admin …` and answers what it prints. Throws UsageError or Problem. */
export async function admin(args: readonly string[]): Promise<string> {
  const { values, positionals } = parsed(args);
  if (values.help || positionals.length === 0) return usage();
  const { command, operands } = commandOf(positionals, values);
  const answer = await command.run(contextOf(await connect(values), values), operands, values);
  return values.json ? forPrograms(answer) : forPeople(answer);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the options cannot be read');
  }
}

function commandOf(positionals: readonly string[], values: Values) {
  const [name] = [positionals.slice(0, 2).join(' '), positionals[0] ?? ''].filter((one) =>
    Object.hasOwn(commands, one),
  );
  const command = name === undefined ? undefined : commands[name];
  if (name === undefined || command === undefined) throw new UsageError('There is no such command; see --help.');
  const operands = positionals.slice(name.split(' ').length);
  if (operands.length !== command.operands.length) throw new UsageError(`usage: ${lineOf(name, command)}`);
  for (const option of Object.keys(values))
    if (![...everywhere, ...(command.options ?? [])].some((taken) => taken === option))
      throw new UsageError(`${name} takes no --${option}`);
  return { command, operands };
}

const contextOf = (connection: Connection, { actor = userInfo().username }: Values) => ({
  connection,
  ports: {
    registry: registry({ client: connection.dynamodb, name: connection.names.table }),
    now: () => new Date(),
    randomBytes,
    actor: `operator:${actor}`,
  },
});

const lineOf = (name: string, { operands, options: taken = [] }: Command): string =>
  ['tributary admin', name, ...operands, ...taken.map(optionText)].join(' ');

const optionText = (option: Option): string =>
  options[option].type === 'boolean' ? `[--${option}]` : `[--${option} …]`;

const usage = (): string =>
  [
    'Every command takes --credentials FILE (a local service) or --tenant NAME (a stack, with AWS credentials),',
    '--json, and --actor NAME for the audit. WORKSPACE, CONNECTOR and PROJECT are ids or names.',
    '',
    ...Object.entries(commands).flatMap(([name, command]) => [lineOf(name, command), `    ${command.says}`]),
  ].join('\n');
