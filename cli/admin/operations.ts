import * as v from 'valibot';
import { idOrNull, TokenId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { queueNames } from '../../shared/contract/stack-outputs.ts';
import { revokeToken } from '../../shared/domain/workspaces/access/tokens.ts';
import { CommandError, exitCodes, notFound, UsageError } from '../outcome.ts';
import { printable } from '../terminal/table.ts';
import { type Commands, numberOf, timeOf } from './command.ts';
import { workspaceOf } from './places.ts';

const auditedByDefault = 100;

export const operationCommands: Commands = {
  'tokens list': {
    operands: ['WORKSPACE'],
    says: 'lists the personal access tokens of a workspace',
    run: async ({ ports: { registry } }, [workspace = '']) =>
      registry.tokens.list((await workspaceOf(registry, workspace)).id),
  },
  'tokens revoke': {
    operands: ['WORKSPACE', 'TOKEN_ID'],
    says: 'revokes a personal access token immediately',
    run: async ({ ports }, [workspace = '', token_id = '']) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      const token = idOrNull(TokenId, token_id);
      if (token === null) throw new Problem('not_found');
      return revokeToken(ports, id, token);
    },
  },
  audit: {
    operands: ['WORKSPACE'],
    options: ['limit'],
    says: 'lists audit entries, newest first',
    run: async ({ ports: { registry } }, [workspace = ''], values) =>
      registry.audit.latest((await workspaceOf(registry, workspace)).id, numberOf(values, 'limit') ?? auditedByDefault),
  },
  redrive: {
    operands: [queueNames.join('|')],
    says: 'moves dead letters back to their queue',
    run: async ({ connection: { sqs, names } }, [named = '']) => {
      const queue = queueNames.find((name) => name === named);
      if (queue === undefined) throw new UsageError(`redrive takes ${queueNames.join(' or ')}`);
      const { redrive } = await import('../../shared/adapters/sqs/redrive.ts');
      const deadLetterQueueUrl = names[`${queue}_dead_letter_queue_url`];
      return { sent: await redrive(sqs, { deadLetterQueueUrl, queueUrl: names[`${queue}_queue_url`] }) };
    },
  },
};

/** What a failure of the stores means to an operator; a failure that is none of theirs is answered as it is. */
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

export const rebuildCommands: Commands = {
  rebuild: {
    operands: [],
    options: ['workspace', 'verify'],
    says: 'replays a workspace’s deliveries into a new graph, compares it with the live one and repairs differences; --verify only compares',
    run: async (context, _operands, values) => {
      if (values.workspace === undefined) throw new UsageError('rebuild takes --workspace WORKSPACE');
      const { id } = await workspaceOf(context.ports.registry, values.workspace);
      const { rebuild } = await loaded();
      return rebuild(context, id, { isVerification: values.verify === true });
    },
  },
};

/** Needs local stores to work in, which the command line's package does not include. */
async function loaded() {
  try {
    return await import('./rebuild.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError('rebuild runs only from a checkout of the repository: npm run tributary -- admin rebuild …');
  }
}

export const restoreCommands: Commands = {
  restore: {
    operands: [],
    options: ['from', 'at', 'resume'],
    says: "restores a tenant's tables and buckets as of a time into the new stacks of another tenant, and compares the graphs",
    run: async (context, _operands, values) => {
      if (values.from === undefined) throw new UsageError('restore takes --from TENANT');
      if (context.connection.local) throw new UsageError('restore takes --tenant NAME: it works in an AWS account');
      if (values.from === values.tenant)
        throw new UsageError('restore takes two tenants: it never writes to the old one');
      const { restore } = await import('./restore.ts');
      const options = { from: values.from, at: timeOf(values, 'at'), isResumed: values.resume === true };
      return restore(context, options);
    },
  },
  hash: {
    operands: [],
    options: ['workspace'],
    says: 'prints a hash of the whole graph of a workspace, and its counts',
    run: async (context, _operands, values) => {
      if (values.workspace === undefined) throw new UsageError('hash takes --workspace WORKSPACE');
      const { id } = await workspaceOf(context.ports.registry, values.workspace);
      const { graphHash } = await import('./restore.ts');
      return graphHash(context, id);
    },
  },
};
