import { exposureUrn } from '../../../contract/layers.ts';
import type { ConnectorKind } from '../../../contract/vocabulary.ts';
import type { Node } from '../graph/node.ts';
import type { Connector } from './connector.ts';
import { parseNamespace } from './namespace.ts';
import { relationOf, splitName } from './relation-ref.ts';

/** A DataHub dataset URN: `urn:li:dataset:(urn:li:dataPlatform:PLATFORM,NAME,ENV)`. */
type DatasetUrn = { readonly platform: string; readonly name: string; readonly env: string };

/** Any URN of DataHub: three segments at least, parentheses balanced. */
function isDatahubUrn(text: string): boolean {
  if (!/^urn:li:[A-Za-z][A-Za-z0-9_]*:\S/.test(text)) return false;
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    if (char === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Whether a text means to be a dataset’s URN; it may still be malformed. */
export const isDatasetUrn = (text: string): boolean => text.startsWith('urn:li:dataset:');

/** Null where the text is no well-formed dataset URN; commas and parentheses of a name are percent-encoded. */
export function parseDatasetUrn(text: string): DatasetUrn | null {
  const found = /^urn:li:dataset:\(urn:li:dataPlatform:([^,()]+),([^,()]+),([A-Za-z_]+)\)$/.exec(text);
  const [, platform, name, env] = found ?? [];
  if (platform === undefined || name === undefined || env === undefined || name.trim() === '') return null;
  return { platform: platform.toLowerCase(), name: decoded(name), env: env.toUpperCase() };
}

/** A URN of DataHub that can mean something; that of a dataset has all its parts. */
export const isWellFormedUrn = (urn: string): boolean =>
  isDatasetUrn(urn) ? parseDatasetUrn(urn) !== null : isDatahubUrn(urn);

type FieldUrn = { readonly parent: string; readonly field: string };

/** A field of a dataset, chart or dashboard. Null if the text is no well-formed URN of one, or its path names no column. */
export function parseFieldUrn(text: string): FieldUrn | null {
  const [, parent, path] = /^urn:li:schemaField:\((urn:li:\w+:\([^()]*\)),(.+)\)$/s.exec(text) ?? [];
  if (parent === undefined || path === undefined) return null;
  if (parseDatasetUrn(parent) === null && exposureUrn(parent) === null) return null;
  const field = columnOfPath(decoded(path));
  return field === '' ? null : { parent, field };
}

/** The name in the URN of a user or group: `urn:li:corpuser:jane%40shop.test`. */
export const nameInUrn = (urn: string): string => decoded(urn.replace(/^urn:li:\w+:/, ''));

/** A field path of DataHub's second version carries types (`[version=2.0].[type=string].id`); the column is the rest. */
export const columnOfPath = (path: string): string =>
  path.startsWith('[') ? path.replace(/(?:^|\.)\[(?:version|type|key)=[^[\]]*\]/g, '').replace(/^\./, '') : path;

/** A percent sign that encodes nothing is part of the name: `% of sales %28net%29`. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });

/** The OpenLineage name of a DataHub dataset that no connector owns, and back: what is exported can be accepted again. */
export function datahubIdentifier(urn: string): { readonly namespace: string; readonly name: string } {
  const [, platform, name, env] =
    /^urn:li:dataset:\((urn:li:dataPlatform:[^,()]+),([^,()]+),([A-Za-z_]+)\)$/.exec(urn) ?? [];
  return platform === undefined || name === undefined
    ? { namespace: wholeUrns, name: urn }
    : { namespace: `${platform},${env}`, name };
}

/** Of URNs whose parts cannot be distinguished. */
const wholeUrns = 'urn:li:dataset';

/** The node of such an OpenLineage name; null if it is no DataHub dataset’s. */
export function datahubNodeOf(namespace: string, name: string): (Node & { readonly kind: 'datahub' }) | null {
  const [, platform, env] = /^(urn:li:dataPlatform:[^,()]+),([A-Za-z_]+)$/.exec(namespace) ?? [];
  const urn = namespace === wholeUrns ? name : `urn:li:dataset:(${platform},${name},${env})`;
  return (platform !== undefined || namespace === wholeUrns) && parseDatasetUrn(urn) ? { kind: 'datahub', urn } : null;
}

/** DataHub's platforms of the stores whose objects OpenLineage names by their path. */
const storePlatforms: Readonly<Record<string, string>> = { s3: 's3', gs: 'gcs', abfss: 'abs' };

/** The names in DataHub of an object of a store, or of a topic of a cluster that a connector has claimed (C-DATAHUB-8). */
export function datahubNamesOf(connectors: readonly Connector[], owner: Connector | undefined, dataset: Node): Node[] {
  if (dataset.kind !== 'dataset') return [];
  const { platform, instance } = parseNamespace(dataset.namespace);
  const store = storePlatforms[platform ?? ''];
  const bucket = instance.slice(instance.indexOf('://') + '://'.length);
  if (store !== undefined) return urnsOf(store, [`${bucket}/${dataset.name}`], connectors);
  if (platform !== 'kafka' || !owner) return [];
  const instances = owner.datahub_platform_instances;
  const topics = instances.length > 0 ? instances.map((one) => `${one}.${dataset.name}`) : [dataset.name];
  return urnsOf(platform, topics, [owner]);
}

function urnsOf(platform: string, names: readonly string[], connectors: readonly Connector[]): Node[] {
  const environments = new Set(connectors.map((one) => one.datahub_env.toUpperCase()));
  const plain = names.filter((name) => !/[,()%]/.test(name));
  return [...(environments.size > 0 ? environments : ['PROD'])].flatMap((env) =>
    plain.map(
      (name): Node => ({ kind: 'datahub', urn: `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${env})` }),
    ),
  );
}

/** DataHub's platform ids where they differ from the kind, or where one kind speaks for several. */
const kindOfPlatform: ReadonlyMap<string, ConnectorKind> = new Map([
  ['mssql', 'sqlserver'],
  ['presto', 'trino'],
  ['mariadb', 'mysql'],
  ['unity-catalog', 'databricks'],
  ['hive', 'spark'],
  ['glue', 'athena'],
]);

/** The request's connector if platform and env are its own, else the only other one, else its URN (C-DATAHUB-2). */
export function resolveDatahubUrn(connectors: readonly Connector[], connector: Connector, urn: string): Node | null {
  const dataset = parseDatasetUrn(urn);
  if (!dataset) return null;
  const owner = ownerOf(connectors, connector, dataset);
  return (owner && relationOfUrn(owner, dataset)) ?? { kind: 'datahub', urn };
}

function ownerOf(connectors: readonly Connector[], connector: Connector, dataset: DatasetUrn): Connector | undefined {
  if (ownsUrn(connector, dataset)) return connector;
  const candidates = connectors.filter((one) => ownsUrn(one, dataset));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Whether the platform and the environment of a URN are the connector's. */
export function ownsUrn({ kind, namespaces, datahub_env }: Connector, { platform, env }: DatasetUrn): boolean {
  if (datahub_env.toUpperCase() !== env) return false;
  if (kind === 'other') return namespaces.some((namespace) => parseNamespace(namespace).platform === platform);
  return kind === platform || kind === kindOfPlatform.get(platform);
}

function relationOfUrn(connector: Connector, { name }: DatasetUrn): Node | null {
  const instance = connector.datahub_platform_instances.find((one) => name.startsWith(`${one}.`));
  const parts = splitName(instance === undefined ? name : name.slice(instance.length + 1));
  return parts && relationOf(connector, parts);
}
