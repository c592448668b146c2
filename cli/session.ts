import * as v from 'valibot';
import { type Api, apiOf, type Endpoint, type Question } from '../shared/client/api.ts';
import { allPages } from '../shared/client/pages.ts';
import { routes } from '../shared/contract/api/routes.ts';
import { limits } from '../shared/contract/limits.ts';
import { ConnectorPage, WorkspacePage } from '../shared/contract/workspaces.ts';
import { once } from '../shared/domain/base/caching.ts';
import type { LineageFile } from '../shared/domain/lineage/files/open-files.ts';
import { chosen } from './service/names.ts';
import { tokenOf } from './settings/credentials-file.ts';
import { type GlobalOptions, notSignedIn, type Settings, settingsOf } from './settings/settings.ts';
import { type Progress, printable, progressOn, type Terminal } from './terminal/terminal.ts';

export type Place = { readonly id: string; readonly name: string };

export type Session = {
  readonly terminal: Terminal;
  readonly options: GlobalOptions;
  readonly settings: Settings;
  readonly progress: Progress;
  readonly api: () => Promise<Api>;
  /** The response of a route about the workspace, whose id is added to the request where the route takes it. */
  readonly ask: Api['ask'];
  /** All pages of a list of the workspace as one, with `most` items or a few more. */
  readonly pages: (route: Endpoint, question?: Question, most?: number) => ReturnType<typeof allPages>;
  readonly workspace: () => Promise<Place>;
  readonly connector: () => Promise<Place>;
  readonly namedConnector: () => Promise<Place | null>;
  /** What narrowed the answer without being typed, such as "connector warehouse, from TRIBUTARY_CONNECTOR". */
  readonly narrowedBy: () => string | null;
  /** The connectors on which a relation may be meant: the one that is named, else all of the workspace. */
  readonly connectors: () => Promise<readonly Place[]>;
  /** What answers instead of a service, if anything does. */
  readonly files: readonly LineageFile[];
};

/** Nothing is asked of the service before a command needs it. */
export function sessionOf(options: GlobalOptions, terminal: Terminal): Session {
  const settings = settingsOf(options, terminal);
  const progress = progressOn(terminal, { quiet: options.quiet === true || options.json === true });
  const signedIn = once(() => signIn(settings));
  const workspace = async () => (await signedIn()).workspace();
  const api = async () => (await signedIn()).api;
  const used: { connector?: Place } = {};
  const connector = once(async () => {
    if (settings.connector !== undefined) used.connector = { id: settings.connector, name: settings.connector };
    used.connector = await connectorOf(await api(), settings, await workspace());
    return used.connector;
  });
  const narrowedBy = () => narrowing(settings, used.connector);
  const namedConnector = async () => (settings.connector === undefined ? null : connector());
  const connectors = async () =>
    settings.connector === undefined ? connectorsOf(await api(), await workspace()) : [await connector()];
  const ask: Session['ask'] = async (route, question = {}) =>
    (await api()).ask(route, inWorkspace(route, question, await workspace()));
  return {
    terminal,
    options,
    settings,
    progress,
    api,
    ask,
    pages: pagesBy(ask),
    workspace,
    connector,
    namedConnector,
    narrowedBy,
    connectors,
    files: [],
  };
}

/** Reads lists in pages as large as they may be. */
export const pagesBy =
  (ask: Api['ask']): Session['pages'] =>
  (route, { query, ...question } = {}, most = Number.POSITIVE_INFINITY) => {
    const limited = { ...question, query: { ...query, limit: Math.min(most, limits.page.max) } };
    return allPages({ ask }, route, limited, most);
  };

function inWorkspace({ access }: Endpoint, question: Question, { id: workspace_id }: Place): Question {
  const isInBody = access.kind === 'member' && access.workspace === 'body';
  return isInBody
    ? { ...question, body: { workspace_id, ...Object(question.body) } }
    : { ...question, query: { workspace_id, ...question.query } };
}

function narrowing({ origin }: Settings, connector: Place | undefined): string | null {
  if (connector === undefined || origin.connector === null || origin.connector === '--connector') return null;
  return printable(`connector ${connector.name}, from ${origin.connector}`);
}

type SignedIn = { readonly api: Api; readonly workspace: () => Promise<Place> };

/** In a credentials file each workspace has its own tokens: the choice of the workspace is that of the token. */
async function signIn(settings: Settings): Promise<SignedIn> {
  const { url, token, credentials } = settings;
  if (token === undefined && credentials !== null) {
    const seeded = Object.entries(credentials.workspaces).map(([name, one]) => ({ ...one, name }));
    const place = chosen(seeded, settings.workspace, 'workspace');
    return { api: apiOf(url, tokenOf(place)), workspace: async () => place };
  }
  if (token === undefined) throw notSignedIn(url);
  const api = apiOf(url, token);
  return { api, workspace: once(() => workspaceOf(api, settings)) };
}

const mintedWorkspace = /^ws_[A-Za-z0-9_-]+$/;
const mintedConnector = /^con_[A-Za-z0-9_-]+$/;

async function workspaceOf(api: Api, { workspace, credentials }: Settings): Promise<Place> {
  if (workspace !== undefined && mintedWorkspace.test(workspace)) return { id: workspace, name: workspace };
  const seeded = workspace === undefined ? undefined : credentials?.workspaces[workspace];
  if (workspace !== undefined && seeded !== undefined) return { id: seeded.id, name: workspace };
  const { items } = v.parse(WorkspacePage, await allPages(api, routes.listWorkspaces, {}));
  return chosen(items, workspace, 'workspace');
}

async function connectorOf(api: Api, { connector, credentials }: Settings, workspace: Place): Promise<Place> {
  if (connector !== undefined && mintedConnector.test(connector)) return { id: connector, name: connector };
  const inFile = Object.values(credentials?.workspaces ?? {}).find(({ id }) => id === workspace.id);
  const seeded = connector === undefined ? undefined : inFile?.connectors[connector];
  if (connector !== undefined && seeded !== undefined) return { id: seeded.id, name: connector };
  return chosen(await connectorsOf(api, workspace), connector, 'connector');
}

async function connectorsOf(api: Api, workspace: Place): Promise<readonly Place[]> {
  const query = { workspace_id: workspace.id };
  return v.parse(ConnectorPage, await allPages(api, routes.listConnectors, { query })).items;
}
