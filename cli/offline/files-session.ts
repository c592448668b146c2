// A session without a service: the routes that answer questions are served from files, in this process.
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { allPages } from '../../shared/client/pages.ts';
import { limits } from '../../shared/contract/limits.ts';
import { filesWorkspace, type LineageFile, openFiles } from '../../shared/domain/lineage/files/open-files.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings/settings.ts';
import { progressOn, type Terminal } from '../terminal/terminal.ts';
import { filesApi } from './files-api.ts';

export async function filesSession(
  options: GlobalOptions,
  terminal: Terminal,
  files: readonly LineageFile[],
): Promise<Session> {
  const opened = await openFiles(files, { sqlParser: loadSqlParser, now: new Date() });
  const api = filesApi(opened);
  const [workspace, connector] = [
    { id: filesWorkspace, name: 'files' },
    { id: opened.connector.id, name: 'files' },
  ];
  return {
    terminal,
    options,
    settings: {
      ...{ url: '', token: undefined, workspace: undefined, connector: undefined, credentials: null },
      origin: { url: 'files', token: 'nowhere', connector: null },
    },
    progress: progressOn(terminal, { quiet: options.quiet === true || options.json === true }),
    api: async () => api,
    ask: api.ask,
    pages: async (route, { query, ...question } = {}, most = Number.POSITIVE_INFINITY) => {
      const limited = { ...question, query: { ...query, limit: Math.min(most, limits.page.max) } };
      return allPages(api, route, limited, most);
    },
    workspace: async () => workspace,
    connector: async () => connector,
    namedConnector: async () => connector,
    narrowedBy: () => null,
    connectors: async () => [connector],
  };
}
