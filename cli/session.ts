import {
  type Api,
  allPages,
  apiOf,
  type Endpoint,
  type Question,
  readItems,
  requestItems,
} from '../shared/client/api.ts';
import { routes } from '../shared/contract/api/routes.ts';
import { limits } from '../shared/contract/limits.ts';
import { once } from '../shared/domain/base/caching.ts';
import type { LineageFile } from '../shared/domain/lineage/files/open-files.ts';
import { notFound } from './outcome.ts';
import { chosen } from './service/names.ts';
import { type CredentialsFile, tokenOf, tokensOf } from './settings/credentials-file.ts';
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
  /** The named connector or the only one; of several, the only one that was sent this scope before. */
  readonly connector: (scope?: string) => Promise<Place>;
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
  const progress = progressOn(terminal, options);
  const signedIn = once(() => signIn(settings));
  const workspace = async () => (await signedIn()).workspace();
  const api = async () => (await signedIn()).api;
  const used: { found?: Promise<Place>; connector?: Place; from: string | null } = { from: settings.origin.connector };
  const findConnector = async (scope?: string) => {
    if (settings.connector !== undefined) used.connector = { id: settings.connector, name: settings.connector };
    const sent = scope === undefined || settings.connector !== undefined ? null : await connectorSent(session, scope);
    if (sent !== null) used.from = `the earlier pushes of ${scope}`;
    used.connector = sent ?? (await connectorOf(await api(), settings, await workspace()));
    return used.connector;
  };
  const connector = (scope?: string) => (used.found ??= findConnector(scope));
  const narrowedBy = () => narrowing(used.connector, used.from);
  const namedConnector = async () => (settings.connector === undefined ? null : connector());
  const connectors = async () =>
    settings.connector === undefined ? connectorsOf(await api(), await workspace()) : [await connector()];
  const ask: Session['ask'] = async (route, question = {}) =>
    (await api()).ask(route, inWorkspace(route, question, await workspace()));
  const session: Session = {
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
  return session;
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

function narrowing(connector: Place | undefined, from: string | null): string | null {
  if (connector === undefined || from === null || from === '--connector') return null;
  return printable(`connector ${connector.name}, from ${from}`);
}

/** Null unless there are several connectors and the latest deliveries of exactly one are of the scope. */
async function connectorSent(session: Session, scope: string): Promise<Place | null> {
  const all = await session.connectors();
  if (all.length < 2) return null;
  const isOfScope = async ({ id }: Place) => {
    const page = await session.pages(routes.listDeliveries, { query: { connector_id: id } }, deliveriesSearched);
    return readItems(routes.listDeliveries, page).some(({ scope_key }) => scope_key === `connector:${id}:${scope}`);
  };
  const sent = await Promise.all(all.map(isOfScope));
  const [found, ...others] = all.filter((_, index) => sent[index]);
  return found !== undefined && others.length === 0 ? found : null;
}

/** The latest of a connector: every push is one, while runs of OpenLineage mostly name no connector. */
const deliveriesSearched = 1_000;

type SignedIn = { readonly api: Api; readonly workspace: () => Promise<Place> };

/** In a credentials file each workspace has its own tokens: the choice of the workspace is that of the token. */
async function signIn(settings: Settings): Promise<SignedIn> {
  const { url, token, credentials, workspace: requested } = settings;
  if (token === undefined && credentials !== null) {
    const seeded = Object.entries(credentials.workspaces).map(([name, one]) => ({ ...one, name }));
    if (requested !== undefined && seeded.every(({ id, name }) => id !== requested && name !== requested))
      return signInAsMember(url, credentials, requested);
    const place = chosen(seeded, requested, 'workspace');
    return { api: apiOf(url, tokenOf(place)), workspace: async () => place };
  }
  if (token === undefined) throw notSignedIn(url);
  const api = apiOf(url, token);
  return { api, workspace: once(() => workspaceOf(api, settings)) };
}

/** As the first user of the file who is a member of a workspace that no seed made. */
async function signInAsMember(url: string, file: CredentialsFile, requested: string): Promise<SignedIn> {
  const known = new Set(Object.keys(file.workspaces));
  for (const token of tokensOf(file)) {
    const api = apiOf(url, token);
    const items = await requestItems(api, routes.listWorkspaces);
    const place = items.find(({ id, name }) => id === requested || name === requested);
    if (place) return { api, workspace: async () => place };
    for (const { name } of items) known.add(name);
  }
  const { decodeJwt } = await import('jose');
  const [first] = tokensOf(file);
  const user = first === undefined ? 'USER' : decodeJwt(first).sub;
  throw notFound(
    `There is no workspace ${printable(JSON.stringify(requested))}, or no user of the credentials file is a member of it.`,
    [
      `There are: ${printable([...known].join(', ') || 'none')}`,
      printable(`Add a user: tributary admin members add ${requested} ${user} --role admin`),
    ],
  );
}

async function workspaceOf(api: Api, { workspace, credentials }: Settings): Promise<Place> {
  const known = knownPlace(workspace, /^ws_[A-Za-z0-9_-]+$/, credentials?.workspaces);
  return known ?? chosen(await requestItems(api, routes.listWorkspaces), workspace, 'workspace');
}

async function connectorOf(api: Api, { connector, credentials }: Settings, workspace: Place): Promise<Place> {
  const inFile = Object.values(credentials?.workspaces ?? {}).find(({ id }) => id === workspace.id);
  const known = knownPlace(connector, /^con_[A-Za-z0-9_-]+$/, inFile?.connectors);
  return known ?? chosen(await connectorsOf(api, workspace), connector, 'connector');
}

/** The place that needs no request: the one with this id, or the one of this name in a credentials file. */
function knownPlace(
  name: string | undefined,
  ids: RegExp,
  seeded: Readonly<Record<string, { readonly id: string }>> = {},
): Place | null {
  if (name === undefined) return null;
  const id = ids.test(name) ? name : seeded[name]?.id;
  return id === undefined ? null : { id, name };
}

const connectorsOf = (api: Api, { id: workspace_id }: Place): Promise<readonly Place[]> =>
  requestItems(api, routes.listConnectors, { query: { workspace_id } });
