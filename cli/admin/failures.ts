import * as v from 'valibot';
import { Problem } from '../../shared/contract/problems.ts';
import { CommandError, exitCodes, notFound, UsageError } from '../command-error.ts';
import { printable } from '../terminal/printable.ts';

/** What a failure of the stores means to an operator; a failure that is none of theirs is answered as it is. */
export function storeFailure(error: unknown): unknown {
  if (error instanceof CommandError || error instanceof Problem || !(error instanceof Error)) return error;
  if (v.isValiError(error)) return new UsageError('This is not the credentials file of a local service.');
  const isOf = (...names: readonly string[]): boolean => names.some((name) => error.name.includes(name));
  if (isOf('CredentialsProviderError', 'ExpiredToken', 'UnrecognizedClient', 'InvalidSignature'))
    return new CommandError(exitCodes.notAllowed, 'AWS does not know who asks.', [
      'Sign in to AWS: aws sso login, or AWS_PROFILE, or the access keys of the environment.',
      printable(error.message),
    ]);
  if (isOf('AccessDenied', 'NotAuthorized'))
    return new CommandError(exitCodes.notAllowed, 'AWS does not allow it.', [printable(error.message)]);
  if (isOf('ValidationError', 'ResourceNotFound'))
    return notFound('There is no such deployment.', [
      printable(error.message),
      'Is the region right? AWS_REGION names it.',
    ]);
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
