import { text as textOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import * as v from 'valibot';
import { limits } from '../../shared/contract/limits.ts';
import { asNote, bounded } from '../../shared/domain/lineage/report/diff-report.ts';
import { ciPullRequest, type PullRequestOptions, required } from '../diff/pull-request.ts';
import { readBytes } from '../files.ts';
import { acts, type Context, integer } from '../framework.ts';
import { CommandError, exitCodes, type Outcome, UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = Omit<PullRequestOptions, 'commit'> & { readonly name: string };

export function registerComment(program: Command, context: Context): void {
  program
    .command('comment')
    .description('writes a report to the pull or merge request that CI runs for, and updates it the next time')
    .argument('[file]', 'the report in Markdown; - reads standard input', '-')
    .option('--name <name>', 'the comment to update, if a pull request has several', 'lineage')
    .option('--repository <path>', 'repository of the pull request (default in CI: its own)')
    .option(
      '--pull-request <n>',
      'number of the pull request (default in CI: its own)',
      integer({ min: 1, max: 2_147_483_647 }),
    )
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
  const comments = commentsOf(terminal, options);
  const marker = `tributary ${options.name}`;
  const body = asNote(marker, bounded(report.split('\n'), 'lines', limits.codehost.summary - 100).join('\n'));
  const own = await ownComment(comments, asNote(marker, ''));
  const { url } = own === null ? await comments.create(body) : await comments.update(own, body);
  const action = own === null ? 'created' : 'updated';
  return { json: { action, url }, text: () => `The comment was ${action}${url === null ? '' : `: ${url}`}.` };
}

type Written = { readonly url: string | null };
type Comments = {
  readonly page: (number: number) => Promise<readonly { id: number; body: string; author: string }[]>;
  /** Who owns the token. */
  readonly author: () => Promise<string>;
  readonly create: (body: string) => Promise<Written>;
  readonly update: (id: number, body: string) => Promise<Written>;
};

const pages = { size: 100, most: 30 };

/** The comment with the marker that this token wrote: others can write the marker too. */
async function ownComment(comments: Comments, first: string): Promise<number | null> {
  const author = await comments.author();
  for (let number = 1; number <= pages.most; number++) {
    const page = await comments.page(number);
    const own = page.find((one) => one.author === author && `${one.body}\n`.startsWith(first));
    if (own) return own.id;
    if (page.length < pages.size) break;
  }
  return null;
}

function commentsOf({ env }: Terminal, options: Options): Comments {
  const ci = ciPullRequest({ env });
  const repository = required('--repository', options.repository ?? ci.repository);
  const number = required('--pull-request', options.pullRequest ?? ci.number);
  const variable = ci.host === 'github' ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN';
  const token = env[variable];
  if (!token) throw new UsageError(`${variable} is not set: it is the token that writes the comment.`);
  const call = hostCalls(ci.api, token);
  return ci.host === 'github' ? gitHubComments(call, repository, number) : gitLabNotes(call, repository, number);
}

const GitHubUser = v.object({ login: v.string() });
const GitHubComment = v.object({ id: v.number(), body: v.nullish(v.string(), ''), user: v.nullish(GitHubUser) });
const GitHubWritten = v.pipe(
  v.object({ html_url: v.string() }),
  v.transform(({ html_url: url }) => ({ url })),
);

function gitHubComments(call: Call, repository: string, number: number): Comments {
  const issues = `/repos/${repository}/issues`;
  return {
    page: async (page) => {
      const found = await call('GET', `${issues}/${number}/comments?per_page=${pages.size}&page=${page}`);
      return v
        .parse(v.array(GitHubComment), found)
        .map(({ id, body, user }) => ({ id, body, author: user?.login ?? '' }));
    },
    // The token of a workflow belongs to no user, so the host refuses the request.
    author: async () => {
      const user = v.safeParse(GitHubUser, await call('GET', '/user', null, [401, 403, 404]));
      return user.success ? user.output.login : 'github-actions[bot]';
    },
    create: async (body) => v.parse(GitHubWritten, await call('POST', `${issues}/${number}/comments`, { body })),
    update: async (id, body) => v.parse(GitHubWritten, await call('PATCH', `${issues}/comments/${id}`, { body })),
  };
}

const GitLabNote = v.object({ id: v.number(), body: v.string(), author: v.object({ id: v.number() }) });

function gitLabNotes(call: Call, repository: string, number: number): Comments {
  const notes = `/projects/${encodeURIComponent(repository)}/merge_requests/${number}/notes`;
  const written = { url: null };
  return {
    page: async (page) => {
      const found = await call('GET', `${notes}?sort=asc&order_by=created_at&per_page=${pages.size}&page=${page}`);
      return v
        .parse(v.array(GitLabNote), found)
        .map(({ id, body, author }) => ({ id, body, author: String(author.id) }));
    },
    author: async () => String(v.parse(v.object({ id: v.number() }), await call('GET', '/user')).id),
    create: async (body) => call('POST', notes, { body }).then(() => written),
    update: async (id, body) => call('PUT', `${notes}/${id}`, { body }).then(() => written),
  };
}

type Call = (method: string, path: string, body?: object | null, refusals?: readonly number[]) => Promise<unknown>;

/** Null if the host refuses with one of `refusals`. */
function hostCalls(api: string, token: string): Call {
  return async (method, path, body = null, refusals = []) => {
    const init: RequestInit = {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'user-agent': 'tributary' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    };
    const response = await fetch(`${api}${path}`, init).catch(() => {
      throw new CommandError(exitCodes.unavailable, 'The code host could not be reached.', [`Its API is ${api}`]);
    });
    if (response.ok) return response.json();
    if (refusals.includes(response.status)) return null;
    const { status } = response;
    const code = status === 401 || status === 403 ? exitCodes.notAllowed : exitCodes.unavailable;
    throw new CommandError(code, `The code host refused ${method} with ${status}.`, [
      'Check that the token may write comments on this pull request.',
    ]);
  };
}
