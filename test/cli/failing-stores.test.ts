import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it } from 'vitest';
import { storeFailure } from '../../cli/admin/command.ts';
import { CommandError } from '../../cli/outcome.ts';

const failure = (name: string) => Object.assign(new Error('why'), { name });
const signIn = 'Sign in to AWS: aws sso login, or AWS_PROFILE, or the access keys of the environment.';
const region = 'Check the region: set AWS_REGION.';

it.each([
  ['CredentialsProviderError', 4, 'AWS credentials are missing or invalid.', [signIn, 'why']],
  ['ExpiredTokenException', 4, 'AWS credentials are missing or invalid.', [signIn, 'why']],
  ['UnrecognizedClientException', 4, 'AWS credentials are missing or invalid.', [signIn, 'why']],
  ['InvalidSignatureException', 4, 'AWS credentials are missing or invalid.', [signIn, 'why']],
  ['AccessDeniedException', 4, 'AWS does not allow it.', ['why']],
  ['NotAuthorized', 4, 'AWS does not allow it.', ['why']],
  ['ValidationError', 3, 'No such deployment.', ['why', region]],
  ['ECONNREFUSED', 5, 'The stores cannot be reached.', ['Is the service of the credentials file running?', 'why']],
  ['ResourceNotFoundException', 3, 'No such deployment.', ['why', region]],
])('an operator whose stores refuse with %s learns what to do', (name, exitCode, message, hints) => {
  const shown = storeFailure(failure(name));
  expect(shown).toBeInstanceOf(CommandError);
  expect(shown).toMatchObject({ exitCode, message, hints });
});

it('an operator gets any other failure as it is', () => {
  const other = failure('TypeError');
  expect(storeFailure(other)).toBe(other);
});

it('a command whose reader has closed the pipe ends quietly', async () => {
  const program = path.resolve(import.meta.dirname, '..', '..', 'cli', 'tributary.ts');
  const child = spawn(process.execPath, [program, 'impact', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const messages: string[] = [];
  child.stderr.on('data', (text) => messages.push(String(text)));
  const [code] = await once(child, 'close');
  expect([code, messages.join('')]).toEqual([0, '']);
});
