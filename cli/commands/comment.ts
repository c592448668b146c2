import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { GuardedFetch } from '../../shared/adapters/outbound/guarded-fetch.ts';
import { limits } from '../../shared/contract/limits.ts';
import { HostFailure } from '../../shared/domain/codehost/code-host.ts';
import { bounded } from '../../shared/domain/lineage/report/diff-report.ts';
import {
  ciPullRequest,
  type PullRequestOptions,
  pullRequestOption,
  repositoryOption,
  required,
} from '../diff/pull-request.ts';
import { readBytes } from '../files.ts';
import { acts, type Context } from '../framework.ts';
import { CommandError, exitCodes, type Outcome, UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = Omit<PullRequestOptions, 'commit'> & { readonly name: string };

export function registerComment(program: Command, context: Context): void {
  program
    .command('comment')
    .description('writes a report to the pull or merge request that CI runs for, and updates it the next time')
    .argument('[file]', 'the report in Markdown; - reads standard input', '-')
    .option('--name <name>', 'the comment to update, if a pull request has several', 'lineage')
    .addOption(repositoryOption)
    .addOption(pullRequestOption)
    .addHelpText(
      'after',
      '\nIn GitHub Actions the token is GITHUB_TOKEN with the permission pull-requests: write.\nIn GitLab CI it is GITLAB_TOKEN, an access token with the scope api: a job token cannot write notes.',
    )
    .action(acts(context, (command) => comment(context.terminal, command.args[0] ?? '-', command.opts<Options>())));
}

const name = /^[\w-]{1,50}$/;

async function comment(terminal: Terminal, file: string, options: Options): Promise<Outcome> {
  if (!name.test(options.name)) throw new UsageError('--name takes letters, digits, _ and -.');
  const report = file === '-' ? await textOf(terminal.input) : readBytes(terminal, file).toString('utf8');
  if (report.trim() === '') throw new UsageError('The report is empty: there is nothing to write.');
  const ci = ciPullRequest(terminal);
  const repository = required('--repository', options.repository ?? ci.repository);
  const number = required('--pull-request', options.pullRequest ?? ci.number);
  const variable = ci.host === 'github' ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN';
  const token = terminal.env[variable];
  if (!token) throw new UsageError(`${variable} is not set: it is the token that writes the comment.`);
  const { tokenOwner, writeNote } = await import('../../shared/adapters/codehost/notes.ts');
  const { restClient } = await import('../../shared/adapters/codehost/rest-client.ts');
  const rest = restClient(boundedFetch, ci.api, `Bearer ${token}`);
  try {
    const author = await tokenOwner(rest).catch((error: unknown) => {
      // The token of a workflow belongs to no user, so GitHub refuses the request.
      if (ci.host === 'github' && error instanceof HostFailure && Object.hasOwn(refusals, error.reason))
        return 'github-actions[bot]';
      throw error;
    });
    const text = bounded(report.split('\n'), 'lines', limits.codehost.summary - 100).join('\n');
    const note = { author, marker: `tributary ${options.name}`, text };
    const { action, html_url: url } = await writeNote(rest, { kind: ci.host, repository, number }, note);
    return { json: { action, url }, text: () => `The comment was ${action}${url === null ? '.' : `: ${url}`}` };
  } catch (error) {
    throw error instanceof HostFailure ? failureAt(ci.api, `${repository}, number ${number}`, error) : error;
  }
}

const boundedFetch: GuardedFetch = (url, { method = 'GET', headers = {}, body = null } = {}) =>
  fetch(url, { method, headers, body, redirect: 'error', signal: AbortSignal.timeout(30_000) }).catch((cause) => {
    throw new HostFailure('unreachable', { cause });
  });

/** The refusals that another token may lift. */
const refusals: Readonly<Record<string, string>> = {
  app_refused: 'It does not know the token.',
  not_allowed: 'The token may not write comments there.',
  not_found: 'There is no such pull request, or the token may not see it.',
};

function failureAt(api: string, place: string, { reason, message }: HostFailure): CommandError {
  if (reason === 'unreachable')
    return new CommandError(exitCodes.unavailable, 'The code host could not be reached.', [`Its API is ${api}`]);
  return new CommandError(
    Object.hasOwn(refusals, reason) ? exitCodes.notAllowed : exitCodes.unavailable,
    'The code host did not accept the comment.',
    [refusals[reason] ?? message, `Its API is ${api}, and the pull request ${place}`],
  );
}
