// A session without a service: the routes that answer questions are served from files, in this process.
import { setFlagsFromString } from 'node:v8';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import type { Api } from '../../shared/client/api.ts';
import { once } from '../../shared/domain/base/caching.ts';
import { filesWorkspace } from '../../shared/domain/lineage/files/file-graph.ts';
import { type LineageFile, type OpenFiles, openFiles } from '../../shared/domain/lineage/files/open-files.ts';
import type { DiffOptions } from '../../shared/domain/lineage/queries/diff/diff-branch.ts';
import type { FileEvent } from '../push/push-openlineage.ts';
import { pagesBy, type Session } from '../session.ts';
import type { GlobalOptions } from '../settings/settings.ts';
import { printable, progressOn, type Terminal } from '../terminal/terminal.ts';
import { withAnalysisAhead } from './analysis-ahead.ts';
import { filesApi } from './files-api.ts';
import { graphOf, jointApi, limitedApi } from './joint-answers.ts';

/**
 * Starts the parser for one command. Its 23 MB of code run too briefly to be worth an optimizing compiler, which would
 * take several seconds of both cores and 200 MB. Only the functions that run are validated: few do. Garbage is collected
 * before it takes another 100 MB, which the thread needs.
 */
function startSqlParser(): ReturnType<typeof loadSqlParser> {
  for (const flag of [
    '--no-wasm-tier-up',
    '--no-wasm-dynamic-tiering',
    '--wasm-lazy-validation',
    '--semi-space-growth-factor=1',
  ])
    setFlagsFromString(flag);
  return loadSqlParser();
}

/** The documents that options name, and how they are compared. */
export type NamedFiles = DiffOptions & {
  readonly files: readonly LineageFile[];
  readonly events?: readonly FileEvent[];
  /** Whose graph the files are joined with. */
  readonly service?: Session | null;
  readonly offline?: true | undefined;
};

export async function filesSession(
  options: GlobalOptions,
  terminal: Terminal,
  { files, events = [], service = null, offline: _, ...diffs }: NamedFiles,
): Promise<Session> {
  const sqlParser = once(async () => withAnalysisAhead(await startSqlParser()));
  const graph = service && (await graphOf(service));
  const known = graph && 'exported' in graph ? graph : undefined;
  const read = events.map(({ text }): unknown => JSON.parse(text));
  const opened = await openFiles(files, { sqlParser, now: new Date(), events: read, service: known });
  if (!options.quiet) for (const line of unreadIn(events, opened.unread)) terminal.messages.write(`${line}\n`);
  const api = filesApi(opened, diffs);
  const connector = { id: opened.connector.id, name: opened.connector.name };
  if (service && known)
    return answeredBy({ ...service, connector: async () => connector, files }, jointApi(api, service));
  return answeredBy(
    {
      terminal,
      options,
      settings: {
        ...{ url: '', token: undefined, workspace: undefined, connector: undefined, credentials: null },
        origin: { url: 'files', token: 'nowhere', connector: null },
      },
      progress: progressOn(terminal, options),
      workspace: async () => ({ id: filesWorkspace, name: 'files' }),
      connector: async () => connector,
      namedConnector: async () => connector,
      narrowedBy: () => null,
      connectors: async () => [connector],
      files,
    },
    graph && 'code' in graph ? limitedApi(api, graph) : api,
  );
}

const mostTold = 5;

/** Which events were not read, by their places and the rules that they break. */
function unreadIn(events: readonly FileEvent[], unread: OpenFiles['unread']): string[] {
  const lines = unread.slice(0, mostTold).map(({ index, message }) => {
    const { file, unit, number } = events[index] ?? {};
    // The places are those of all events together.
    const ofEvent = (rule: string) => [`/${index}: `, `/${index}`].find((place) => rule.startsWith(place)) ?? '';
    const rules = message.split('; ').map((rule) => rule.slice(ofEvent(rule).length));
    return printable(`${file}, ${unit} ${number}, was not read. ${rules.join('; ')}`);
  });
  return unread.length > mostTold ? [...lines, `${unread.length - mostTold} more events were not read.`] : lines;
}

const answeredBy = (session: Omit<Session, 'api' | 'ask' | 'pages'>, api: Api): Session => ({
  ...session,
  api: async () => api,
  ask: api.ask,
  pages: pagesBy(api.ask),
});
