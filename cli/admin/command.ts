import type { Command, OptionValues } from 'commander';
import * as v from 'valibot';
import { CollectionProjectId, ConnectorId, idOrNull, WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { Connector } from '../../shared/domain/lineage/names/connector.ts';
import { idFromName } from '../../shared/domain/workspaces/access/operator.ts';
import type { Registry, StoredRecord, Workspace } from '../../shared/domain/workspaces/access/records.ts';
import type { Target } from '../connect.ts';
import { acts, type Context } from '../framework.ts';
import { CommandError, exitCodes, notFound, UsageError } from '../outcome.ts';
import { nearestNames } from '../service/names.ts';
import { deploymentOf } from '../settings/credentials-file.ts';
import { printable, table } from '../terminal/terminal.ts';
import type { AdminContext } from './open-registry.ts';

type Action = (...parameters: readonly unknown[]) => Promise<void>;
type Operands = readonly string[];

/** Makes actions of admin commands. Each prints what its function returns. */
export type Actions = ReturnType<typeof actionsOf>;

export function actionsOf(context: Context) {
  const answers = (run: (command: Command, target: Target) => Promise<unknown>): Action =>
    acts(context, async (command) => {
      const { tenant, credentials } = command.optsWithGlobals<Target>();
      const target = deploymentOf({ tenant, credentials }, context.terminal);
      try {
        const json = withoutHashes(await run(command, target));
        return { json, text: () => forPeople(json), ...(Array.isArray(json) && { items: json }) };
      } catch (error) {
        throw storeFailure(error);
      }
    });
  const onStores = <O extends OptionValues>(
    run: (admin: AdminContext, operands: Operands, options: O) => Promise<unknown>,
  ) =>
    answers(async (command, target) => {
      // Loaded here, so that other commands start without the clients of the stores.
      const { openRegistry } = await import('./open-registry.ts');
      const { actor } = command.optsWithGlobals<{ readonly actor?: string }>();
      return run(await openRegistry(target, actor), command.args, command.optsWithGlobals());
    });
  /** For commands on the stacks of a tenant, also where its stores are gone. */
  const onTenant = <O extends OptionValues>(run: (tenant: string, options: O) => Promise<unknown>) =>
    answers(async (command, { tenant }) => {
      if (tenant === undefined)
        throw new UsageError(`${command.name()} takes --tenant NAME: it works in an AWS account`);
      return run(tenant, command.optsWithGlobals());
    });
  const inWorkspace = <O extends OptionValues>(
    run: (admin: AdminContext, workspace: Workspace, operands: Operands, options: O) => Promise<unknown>,
  ) =>
    onStores(async (admin, [workspace = '', ...operands], options: O) =>
      run(admin, await workspaceOf(admin.ports.registry, workspace), operands, options),
    );
  return { onStores, onTenant, inWorkspace };
}

/** What a failure of the stores means to an operator. Other failures are returned unchanged. */
export function storeFailure(error: unknown): unknown {
  if (error instanceof CommandError || error instanceof Problem || !(error instanceof Error)) return error;
  if (v.isValiError(error)) return new UsageError('This is not the credentials file of a local service.');
  const isOf = (...names: readonly string[]): boolean => names.some((name) => error.name.includes(name));
  if (isOf('CredentialsProviderError', 'ExpiredToken', 'UnrecognizedClient', 'InvalidSignature'))
    return new CommandError(exitCodes.notAllowed, 'AWS credentials are missing or invalid.', [
      'Sign in to AWS: aws sso login, or AWS_PROFILE, or the access keys of the environment.',
      printable(error.message),
    ]);
  if (error.message === 'Region is missing') return new UsageError('No AWS Region is set.', ['Set AWS_REGION.']);
  if (isOf('AccessDenied', 'NotAuthorized'))
    return new CommandError(exitCodes.notAllowed, 'AWS does not allow it.', [printable(error.message)]);
  if (isOf('ValidationError', 'ResourceNotFound'))
    return notFound('No such deployment.', [printable(error.message), 'Check the region: set AWS_REGION.']);
  if (unreached.test(`${error.name} ${'code' in error ? error.code : ''} ${error.message}`))
    return new CommandError(exitCodes.unavailable, 'The stores cannot be reached.', [
      'Is the service of the credentials file running?',
      printable(error.message || error.name),
    ]);
  return error;
}

const unreached = /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ECONNRESET|EAI_AGAIN|TimeoutError/;

export const workspaceOf = ({ workspaces }: Registry, text: string): Promise<Workspace> =>
  byIdOrName(WorkspaceId, [text, idFromName('ws', text)], (id) => workspaces.find({ id }), {
    what: `workspace “${text}”`,
    list: () => workspaces.all(),
  });

export const connectorOf = ({ connectors }: Registry, workspace_id: WorkspaceId, text: string): Promise<Connector> =>
  byIdOrName(
    ConnectorId,
    [text, idFromName('con', workspace_id, text)],
    (id) => connectors.find({ workspace_id, id }),
    { what: `connector “${text}”`, list: () => connectors.list(workspace_id) },
  );

export const projectOf = ({ collectionProjects }: Registry, workspace_id: WorkspaceId, text: string) =>
  byIdOrName(
    CollectionProjectId,
    [text, idFromName('prj', workspace_id, text)],
    (id) => collectionProjects.find({ workspace_id, id }),
    { what: `collection project “${text}”`, list: () => collectionProjects.list(workspace_id) },
  );

async function byIdOrName<Id, R>(
  schema: v.GenericSchema<string, Id>,
  ids: readonly string[],
  find: (id: Id) => Promise<StoredRecord<R> | null>,
  { what, list }: { readonly what: string; readonly list: () => Promise<readonly { readonly name: string }[]> },
): Promise<R> {
  for (const text of ids) {
    const id = idOrNull(schema, text);
    const found = id === null ? null : await find(id);
    if (found !== null) return found.record;
  }
  const names = (await list()).map(({ name }) => name);
  const hint = nearestNames(ids[0] ?? '', names, 'There is none yet.');
  throw new Problem('not_found', { message: `There is no ${what}.`, hint });
}

/** Null where there is none: what is gone may be removed again. */
export async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

/** How to retract what something stated that is gone or disabled. */
export const toForget = (workspace: string, words?: string): string =>
  `To forget what it reported, run: tributary admin scopes list ${workspace} all${words === undefined ? '' : ` --q ${words}`}, then tributary admin scopes forget ${workspace} SCOPE_KEY`;

/** An answer as text for people: a list as columns, anything else as `name: value` lines. */
function forPeople(answer: unknown): string {
  if (!Array.isArray(answer)) return lines(answer).join('\n');
  if (answer.length === 0) return 'none';
  return table(answer.map(fieldsOf)).join('\n');
}

const lines = (answer: unknown): string[] =>
  Object.entries(fieldsOf(answer)).map(([name, value]) => `${name}: ${printable(value)}`);

/** A result for programs: without the hashes of keys, and with the fields of a record beside whether it was created. */
function withoutHashes(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutHashes);
  if (typeof answer !== 'object' || answer === null) return answer;
  const { record, ...rest } = { record: {}, ...answer };
  return Object.fromEntries(Object.entries({ ...record, ...rest }).filter(([name]) => name !== 'hash'));
}

function fieldsOf(answer: unknown): Record<string, string> {
  if (typeof answer !== 'object' || answer === null) return { value: String(answer) };
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(', ') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
