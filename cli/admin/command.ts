import type { Command, OptionValues } from 'commander';
import * as v from 'valibot';
import { Problem } from '../../shared/contract/problems.ts';
import type { Workspace } from '../../shared/domain/workspaces/access/records.ts';
import type { Target } from '../connect.ts';
import { acts, type Context } from '../framework.ts';
import { CommandError, exitCodes, notFound, UsageError } from '../outcome.ts';
import { deploymentOf } from '../settings/deployment.ts';
import { printable } from '../terminal/terminal.ts';
import type { AdminContext } from './open-registry.ts';
import { forPeople, withoutHashes, workspaceOf } from './places.ts';

type Action = (...parameters: readonly unknown[]) => Promise<void>;
type Operands = readonly string[];

/** Makes actions of admin commands. Each prints what its function returns. */
export type Actions = {
  readonly onStores: <O extends OptionValues>(
    run: (admin: AdminContext, operands: Operands, options: O) => Promise<unknown>,
  ) => Action;
  /** For commands on the stacks of a tenant, also where its stores are gone. */
  readonly onTenant: <O extends OptionValues>(run: (tenant: string, options: O) => Promise<unknown>) => Action;
  readonly inWorkspace: <O extends OptionValues>(
    run: (admin: AdminContext, workspace: Workspace, operands: Operands, options: O) => Promise<unknown>,
  ) => Action;
};

export function actionsOf(context: Context): Actions {
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
  const onStores: Actions['onStores'] = (run) =>
    answers(async (command, target) => {
      // Loaded here, so that other commands start without the clients of the stores.
      const { openRegistry } = await import('./open-registry.ts');
      const { actor } = command.optsWithGlobals<{ readonly actor?: string }>();
      return run(await openRegistry(target, actor), command.args, command.optsWithGlobals());
    });
  const onTenant: Actions['onTenant'] = (run) =>
    answers(async (command, { tenant }) => {
      if (tenant === undefined)
        throw new UsageError(`${command.name()} takes --tenant NAME: it works in an AWS account`);
      return run(tenant, command.optsWithGlobals());
    });
  const inWorkspace: Actions['inWorkspace'] = (run) =>
    onStores(async (admin, [workspace = '', ...operands], options: Parameters<typeof run>[3]) =>
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
  if (isOf('AccessDenied', 'NotAuthorized'))
    return new CommandError(exitCodes.notAllowed, 'AWS does not allow it.', [printable(error.message)]);
  if (isOf('ValidationError', 'ResourceNotFound'))
    return notFound('No such deployment.', [printable(error.message), 'Check the region: set AWS_REGION.']);
  if (isUnreached(error))
    return new CommandError(exitCodes.unavailable, 'The stores cannot be reached.', [
      'Is the service of the credentials file running?',
      printable(error.message || error.name),
    ]);
  return error;
}

const unreached = /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ECONNRESET|EAI_AGAIN|TimeoutError/;

function isUnreached(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return unreached.test(`${error.name} ${code} ${error.message}`);
}
