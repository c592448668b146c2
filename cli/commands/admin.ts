import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { canaryCommands } from '../admin/canary.ts';
import { collectionProjectCommands } from '../admin/collection.ts';
import { collectionKeyCommands } from '../admin/collection-keys.ts';
import {
  type Command as AdminCommand,
  type Option as AdminOption,
  type Commands,
  options,
  type Values,
} from '../admin/command.ts';
import { connectorCommands } from '../admin/connectors.ts';
import { eventCommands } from '../admin/events.ts';
import { operationCommands, rebuildCommands, restoreCommands, storeFailure } from '../admin/operations.ts';
import { forPeople, withoutHashes } from '../admin/places.ts';
import { scopeCommands } from '../admin/scopes.ts';
import { linkedProjectCommands, memberCommands, workspaceCommands } from '../admin/workspaces.ts';
import { acts, appendValue, type Context } from '../framework.ts';
import type { Outcome } from '../outcome.ts';
import { deploymentOf } from '../settings/deployment.ts';
import type { Terminal } from '../terminal/terminal.ts';

const commands: Commands = {
  ...workspaceCommands,
  ...memberCommands,
  ...connectorCommands,
  ...linkedProjectCommands,
  ...collectionProjectCommands,
  ...collectionKeyCommands,
  ...eventCommands,
  ...scopeCommands,
  ...operationCommands,
  ...rebuildCommands,
  ...restoreCommands,
  ...canaryCommands,
};

const groups: Readonly<Record<string, string>> = {
  workspaces: 'groups of users who share lineage and events',
  members: 'users of a workspace and their roles',
  connectors: 'the databases that lineage is about',
  'linked-projects': 'the dbt and SQLMesh projects that may send complete snapshots',
  projects: 'projects that collect events',
  environments: 'the environments of a collection project',
  origins: 'the web origins that may send to a collection project',
  'project-keys': 'public keys of web pages',
  'server-keys': 'secret keys of backends',
  scopes: 'the sources of evidence, and how to retract it',
  events: 'the stored events of a workspace',
  tokens: 'personal access tokens of a workspace',
  canary: 'the canary, which tests the service every five minutes',
};

/** The options that the program has for every command. */
const global: readonly AdminOption[] = ['credentials', 'json', 'workspace'];

export function registerAdmin(program: Command, context: Context): void {
  const admin = program
    .command('admin')
    .description("sets up and runs a deployment through its stores, with AWS credentials or a local service's file")
    .option('--tenant <name>', 'the stack of a tenant, with AWS credentials')
    .option('--actor <name>', 'user named in the audit log (default: the user of this machine)');
  const places = new Map<string, Command>();
  for (const [name, entry] of Object.entries(commands)) {
    const [group = '', verb] = name.split(' ');
    const parent = verb === undefined ? admin : (places.get(group) ?? admin.command(group));
    if (verb !== undefined) places.set(group, parent.description(groups[group] ?? group));
    define(parent.command(verb ?? group), entry, context);
  }
}

type CommandOptions = Readonly<Record<string, unknown>>;

function define(command: Command, entry: AdminCommand, context: Context): void {
  command.description(entry.says);
  for (const operand of entry.operands) command.argument(`<${operand}>`);
  const used = (entry.options ?? []).filter((option) => !global.includes(option));
  const defined = used.map((name) => ({ name, option: optionOf(name) }));
  for (const { option } of defined) command.addOption(option);
  command.action(
    acts(context, async () => {
      const provided = command.optsWithGlobals<CommandOptions>();
      const own = defined.map(({ name, option }) => [name, optionValues(name, provided[option.attributeName()])]);
      const values: Values = { ...Object.fromEntries(own), ...targetOf(provided, context.terminal) };
      return runEntry(entry, command.args, values);
    }),
  );
}

function optionOf(name: AdminOption): Option {
  const { type, ...rest } = options[name];
  const option = new Option(type === 'boolean' ? `--${name}` : `--${name} <value>`);
  return 'multiple' in rest ? option.argParser(appendValue) : option;
}

/** commander reads `--no-x` as the absence of x. */
const optionValues = (name: AdminOption, value: unknown): unknown => (name.startsWith('no-') ? value === false : value);

const optional = v.optional(v.string());
const Target = v.object({ tenant: optional, credentials: optional, actor: optional, workspace: optional });

function targetOf(provided: CommandOptions, terminal: Terminal): v.InferOutput<typeof Target> {
  const { tenant, credentials, ...others } = v.parse(Target, provided);
  return { ...deploymentOf({ tenant, credentials }, terminal), ...others };
}

/** Only this function loads the store clients, so that other commands do not. */
async function runEntry(entry: AdminCommand, operands: readonly string[], values: Values): Promise<Outcome> {
  try {
    const { openRegistry } = await import('../admin/open-registry.ts');
    const context = await openRegistry(values);
    const answer = await entry.run(context, operands, values);
    const json = withoutHashes(answer);
    return { json, text: () => forPeople(json), ...(Array.isArray(json) && { items: json }) };
  } catch (error) {
    throw storeFailure(error);
  }
}
