import { ApiFailure, Unreachable } from '../../shared/client/api.ts';
import { problems } from '../../shared/contract/problems.ts';
import { CommandError, type ExitCode, exitCodes } from '../outcome.ts';
import { printable } from '../terminal/terminal.ts';

type Candidate = NonNullable<NonNullable<ApiFailure['detail']>['candidates']>[number];

export function serviceError(error: unknown): CommandError | null {
  if (error instanceof Unreachable)
    return new CommandError(exitCodes.unavailable, printable(error.message), [
      'Check that the service is running and the address is right: tributary doctor',
    ]);
  if (!(error instanceof ApiFailure)) return null;
  return new CommandError(exitCodeOf(error), printable(messageOf(error)), hintsOf(error));
}

/** Of an id that cannot be one: nothing has it. */
const isOfPath = ({ path }: { readonly path: string }): boolean => path.startsWith('/params/');

/** The service says of a place that it is empty: a command has named a thing, not a place. */
function messageOf({ message, detail, route }: ApiFailure): string {
  const thing = route.path
    .split('/')
    .findLast((part) => part.endsWith('_id}'))
    ?.slice(1, -'_id}'.length);
  const says = detail?.message === problems.not_found.message || detail?.errors?.some(isOfPath);
  return says && thing !== undefined ? `There is no such ${thing.replaceAll('_', ' ')}.` : message;
}

function hintsOf({ url, status, detail, route: { access } }: ApiFailure): string[] {
  if (detail === null)
    return ['Another server may have answered, such as a proxy. Check the address: tributary doctor'];
  const { errors = [], hint, request_id, code, candidates } = detail;
  if (candidates !== undefined) return ['Choose one with --connector:', ...candidates.map(candidateLine)];
  return [
    ...errors.filter((one) => !isOfPath(one)).map(({ path, message: rule }) => printable(`${path || '/'} ${rule}`)),
    ...(hint ? [printable(hint)] : []),
    ...needs(access, status, code),
    ...(status >= 500 ? [`At ${url}; the service's logs name this request ${printable(request_id)}.`] : []),
  ];
}

const candidateLine = ({ connector_name, connector_id, ...one }: Candidate): string =>
  printable(
    `  ${connector_name ?? 'of no connector'}${connector_id ? ` (${connector_id})` : ''}: ${one.relation_ref}, ${one.upstream_count} upstream, ${one.downstream_count} downstream`,
  );

function needs(access: ApiFailure['route']['access'], status: number, code: string): string[] {
  if (status === 401) return ['Sign in again (tributary login), or give another token: TRIBUTARY_TOKEN.'];
  if (access.kind !== 'member' || status !== 403) return [];
  if (code === 'session_required')
    return ['Do this in the explorer: it stays after the token expires, so a personal access token may not do it.'];
  return [
    `This requires the scope ${access.scope} and the workspace role ${access.role}.`,
    'tributary doctor says what the token has.',
  ];
}

function exitCodeOf({ status, detail }: ApiFailure): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (detail === null) return exitCodes.unavailable;
  if (detail?.code === 'lineage_connector_mismatch') return exitCodes.usage;
  if (
    status === 404 ||
    detail?.code === 'ambiguous_relation' ||
    detail?.errors?.some((one) => one.path === '/connector_id' || isOfPath(one))
  )
    return exitCodes.notFound;
  return status === 408 || status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.usage;
}
