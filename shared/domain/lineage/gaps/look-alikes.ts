import type { LookAlikes } from '../../../contract/gaps.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { sortedBy } from '../../base/collections.ts';
import { nodeOf, refOf, type Urn } from '../graph/node.ts';
import { claimCommand, connectorCommand } from '../names/claim-command.ts';
import { type Connector, platformOf } from '../names/connector.ts';
import { ownsUrn, parseDatasetUrn } from '../names/datahub-urn.ts';
import { parseNamespace } from '../names/namespace.ts';
import { type Platform, platforms } from '../names/platforms.ts';
import { partsOfRef, splitGlueName } from '../names/relation-ref.ts';
import { ownerOf } from '../names/resolve-dataset.ts';
import type { NamePair } from '../providers/provider.ts';

/** Names of the graph, each with the feeds whose evidence names it. */
export type NamesOfFeeds = ReadonlyMap<Urn, ReadonlySet<string>>;

type Name = {
  readonly urn: Urn;
  readonly style: 'table' | 'path' | 'topic';
  /** Of a table in lower case, from its database on; of a path its directories; of a topic only its name. */
  readonly parts: readonly string[];
  /** Null if the name does not say it. */
  readonly platform: Platform | null;
  readonly store: string | null;
  readonly hosts: readonly string[];
  /** Null if DataHub names it, or if a connector has it as a relation. */
  readonly namespace: string | null;
  /** The connector whose relation it is, or whose namespace it uses. */
  readonly owner: Connector | null;
  readonly isRelation: boolean;
};

type Remedy = { readonly command: string | null; readonly advice: string };
type Pair = { readonly name: Name; readonly other: Name };

const pairsNamed = 20;
/** Of the names that end in the same parts: some schemas have the tables of thousands of others. */
const mostCompared = 100;

/**
 * The names that look like another one and do not meet it, by feed: C-GAP-14. Two relations of different connectors are
 * two on purpose; tables of one name on different platforms are copies.
 */
export function lookAlikes(
  workspace: WorkspaceId,
  connectors: readonly Connector[],
  names: NamesOfFeeds,
): ReadonlyMap<string, LookAlikes> {
  const pairs = pairsAlike(connectors, [...names.keys()]);
  const ofFeeds = pairs.flatMap((pair) => [...(names.get(pair.name.urn) ?? [])].map((feed) => [feed, pair] as const));
  return new Map(
    [...Map.groupBy(ofFeeds, ([feed]) => feed)].map(([feed, own]) => [
      feed,
      {
        count: own.length,
        pairs: own.slice(0, pairsNamed).map(([, { name, other }]) => ({
          name: refOf(name.urn),
          looks_like: refOf(other.urn),
          ...remedyOf(workspace, name, other),
        })),
      },
    ]),
  );
}

/** Those of files, which no setting joins. */
export const lookAlikesOfFiles = (connectors: readonly Connector[], urns: readonly Urn[]): NamePair[] =>
  pairsAlike(connectors, urns).map(({ name, other }) => ({
    name: refOf(name.urn),
    looks_like: refOf(other.urn),
    command: null,
  }));

/** Each name that looks like another one, with the first of them. */
function pairsAlike(connectors: readonly Connector[], urns: readonly Urn[]): Pair[] {
  const known = sortedBy(
    urns.flatMap((urn) => nameOf(connectors, urn) ?? []),
    ({ isRelation }) => (isRelation ? 0 : 1),
    ({ urn }) => urn,
  );
  const similar = Map.groupBy(known, keyOf);
  return known.flatMap((name): Pair[] => {
    const others = similar.get(keyOf(name))?.slice(0, mostCompared) ?? [];
    const other = others.find((one) => isBefore(one, name) && isAlike(connectors, name, one));
    return other ? [{ name, other }] : [];
  });
}

function nameOf(connectors: readonly Connector[], urn: Urn): Name | null {
  const node = nodeOf(urn);
  const none = { urn, platform: null, store: null, hosts: [], namespace: null, owner: null, isRelation: false };
  switch (node.kind) {
    case 'relation': {
      const owner = connectors.find(({ id }) => id === node.connectorId);
      if (!owner) return null;
      const platform = platformOf(owner);
      const parts = inLowerCase(partsOfRef(platform, node.ref));
      return { ...none, style: 'table', parts, platform: knownPlatform(platform), owner, isRelation: true };
    }
    case 'dataset': {
      const { style, instance, naming, platform: store } = parseNamespace(node.namespace);
      const [authority = '', ...folders] = (instance.split('://').at(-1) ?? '').split('/');
      const hosts = authority.split(',').map((host) => host.replace(/:\d+$/, ''));
      const named = { ...none, store, hosts, namespace: node.namespace };
      const owner = ownerOf(connectors, node.namespace) ?? null;
      if (style === 'topic') return { ...named, owner, style, parts: [node.name] };
      if (style === 'path' || style === 'object')
        return { ...named, owner, style: 'path', parts: directories([...folders, node.name].join('/')) };
      const parts = splitGlueName(node.name)?.map(({ text }) => text);
      return parts ? { ...named, owner, style: 'table', parts: inLowerCase(parts), platform: naming } : null;
    }
    case 'datahub': {
      const dataset = parseDatasetUrn(node.urn);
      if (!dataset) return null;
      const { style, naming, platform: store } = parseNamespace(`${dataset.platform}://`);
      if (style === 'topic') return { ...none, style, store, parts: [dataset.name] };
      if (style === 'path' || style === 'object') return null;
      return { ...none, style: 'table', parts: inLowerCase(dataset.name.split('.')), platform: naming };
    }
    case 'inlined':
    case 'exposure':
      return null;
  }
}

const inLowerCase = (parts: readonly string[]) => parts.map((part) => part.toLowerCase());
const directories = (path: string) => path.split('/').filter((part) => part !== '');
/** A connector of kind `other` without a namespace says nothing of its platform. */
const knownPlatform = (platform: Platform): Platform | null => (platform === platforms.other ? null : platform);

/** Names of one key are compared. DataHub may put an instance in front of a topic. */
function keyOf({ style, parts }: Name): string {
  const last = style === 'topic' ? (parts[0]?.split('.').slice(-1) ?? []) : parts.slice(-2);
  return JSON.stringify([style, ...last]);
}

/** Each pair once, at the name that a setting can change. */
const isBefore = (one: Name, name: Name): boolean =>
  one.isRelation === name.isRelation ? one.urn < name.urn : one.isRelation;

function isAlike(connectors: readonly Connector[], name: Name, other: Name): boolean {
  switch (name.style) {
    case 'topic':
      return areTopicsAlike(connectors, name, other);
    case 'path':
      return name.store === other.store && isEqual(name.parts, other.parts) && shareHost(name, other);
    case 'table':
      return areTablesAlike(name, other);
  }
}

function areTopicsAlike(connectors: readonly Connector[], name: Name, other: Name): boolean {
  if (name.store !== other.store) return false;
  const [inDatahub, inCluster] = name.namespace === null ? [name, other] : [other, name];
  if (inDatahub.namespace !== null) return isEqual(name.parts, other.parts) && shareHost(name, other);
  const [urnName = '', topic = ''] = [inDatahub.parts[0], inCluster.parts[0]];
  return (
    inCluster.namespace !== null &&
    isOfEnvironment(connectors, inDatahub.urn) &&
    (urnName === topic || urnName.endsWith(`.${topic}`))
  );
}

/** Other environments are other places. */
function isOfEnvironment(connectors: readonly Connector[], urn: Urn): boolean {
  const env = parseDatasetUrn(refOf(urn))?.env;
  return connectors.some((one) => one.datahub_env.toUpperCase() === env);
}

function areTablesAlike(name: Name, other: Name): boolean {
  if (name.parts.length < 2 || other.parts.length < 2) return false;
  if (name.isRelation) return name.owner === other.owner && isEqual(name.parts, other.parts);
  const dataset = name.namespace === null ? parseDatasetUrn(refOf(name.urn)) : null;
  if (dataset && other.owner && !ownsUrn(other.owner, dataset)) return false;
  if (name.namespace !== null && name.owner && other.owner && name.owner !== other.owner) return false;
  const [short, long] = name.parts.length < other.parts.length ? [name, other] : [other, name];
  return isOnePlatform(name.platform, other.platform) && isEqual(short.parts, long.parts.slice(-short.parts.length));
}

/** Engines that read the same tables. */
const lakes: ReadonlySet<Platform> = new Set([
  platforms.spark,
  platforms.hive,
  platforms.glue,
  platforms.athena,
  platforms.trino,
  platforms.databricks,
]);

const isOnePlatform = (a: Platform | null, b: Platform | null): boolean =>
  a === null || b === null || a === b || (lakes.has(a) && lakes.has(b));

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, at) => part === b[at]);

/** A short name of a host is that host; another port is another door. */
const shareHost = (a: Name, b: Name): boolean =>
  a.hosts.some((one) => b.hosts.some((two) => one === two || one.startsWith(`${two}.`) || two.startsWith(`${one}.`)));

const joined = 'If both are one relation, the command joins them.';
const noSetting = 'No setting joins them. If both are one relation, send the same name from both sources.';
const oneList = 'No setting joins them. If both are one cluster, name it by the same brokers in all clients.';

function remedyOf(workspace: WorkspaceId, name: Name, other: Name): Remedy {
  const command = name.style === 'topic' ? topicCommand(workspace, name, other) : tableCommand(workspace, name, other);
  if (command !== null) return { command, advice: joined };
  const isList = name.style === 'topic' && name.namespace !== null && other.namespace !== null;
  return { command, advice: isList ? oneList : noSetting };
}

/** Claims the namespace, completes the name, or leaves out the instance that DataHub puts in front of it. */
function tableCommand(workspace: WorkspaceId, name: Name, other: Name): string | null {
  if (name.style === 'path' || name.isRelation) return null;
  const missing = other.parts.slice(0, Math.max(0, other.parts.length - name.parts.length));
  const instance = name.parts.slice(0, Math.max(0, name.parts.length - other.parts.length)).join('.');
  const { owner: connector } = other;
  if (!other.isRelation || !connector) {
    const namespaces = [name.namespace, other.namespace].filter((one) => one !== null).sort();
    return namespaces.length < 2 || missing.length > 0 || instance !== '' ? null : claimCommand(workspace, namespaces);
  }
  if (missing.length > 1 || (instance !== '' && name.namespace !== null)) return null;
  const [database] = missing;
  const isDefault = database !== undefined && database === connector.default_database?.toLowerCase();
  if (database !== undefined && connector.default_database !== null && !isDefault) return null;
  const settings: Setting[] = [
    ...(name.namespace !== null && !name.owner ? [['add-namespace', name.namespace] as const] : []),
    ...(database === undefined || isDefault ? [] : [['default-database', database] as const]),
    ...instancesWith(connector, instance),
  ];
  return settings.length === 0 ? null : connectorCommand(workspace, connector.name, settings);
}

type Setting = readonly [option: string, value: string];

/** The option replaces the whole list. */
const instancesWith = (connector: Connector | null, instance: string): Setting[] =>
  instance === ''
    ? []
    : [...new Set([...(connector?.datahub_platform_instances ?? []), instance])].map(
        (one) => ['datahub-platform-instance', one] as const,
      );

/** DataHub names no cluster: its topics are those of the connector that owns one (C-DATAHUB-8). */
function topicCommand(workspace: WorkspaceId, name: Name, other: Name): string | null {
  const [inDatahub, inCluster] = name.namespace === null ? [name, other] : [other, name];
  if (inDatahub.namespace !== null || inCluster.namespace === null) return null;
  const { owner } = inCluster;
  const [urnName = '', topic = ''] = [inDatahub.parts[0], inCluster.parts[0]];
  const instance = urnName.endsWith(`.${topic}`) ? urnName.slice(0, -topic.length - 1) : '';
  const settings: Setting[] = [
    ...(owner ? [] : [['add-namespace', inCluster.namespace] as const]),
    ...instancesWith(owner, instance),
  ];
  return settings.length === 0 ? null : connectorCommand(workspace, owner?.name ?? null, settings);
}
