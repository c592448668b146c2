import type { ConnectorKind } from '../../contract/vocabulary.ts';
import type { Node } from '../graph/node.ts';
import type { Connector } from './connector.ts';
import { type DatasetUrn, parseDatasetUrn } from './datahub-urn.ts';
import { parseNamespace } from './namespace.ts';
import { relationOf, splitName } from './relation-ref.ts';

/** DataHub's platform ids where they differ from the kind, or where one kind speaks for several. */
const kindOfPlatform: ReadonlyMap<string, ConnectorKind> = new Map([
  ['mssql', 'sqlserver'],
  ['presto', 'trino'],
  ['mariadb', 'mysql'],
  ['unity-catalog', 'databricks'],
  ['hive', 'spark'],
  ['glue', 'athena'],
]);

/**
 * The vertex of a DataHub dataset: C-DATAHUB-2. A relation of the request's connector where platform and environment
 * are its own, else of the workspace's only connector of which that holds, else a node of its own under its URN.
 * Null where the text is no well-formed dataset URN.
 *
 * @param connector the request's, one of `connectors`
 */
export function resolveDatahubUrn(connectors: readonly Connector[], connector: Connector, urn: string): Node | null {
  const dataset = parseDatasetUrn(urn);
  if (!dataset) return null;
  const owner = ownerOf(connectors, connector, dataset);
  return (owner && relationOfUrn(owner, dataset)) ?? { kind: 'datahub', urn };
}

function ownerOf(connectors: readonly Connector[], connector: Connector, dataset: DatasetUrn): Connector | undefined {
  if (owns(connector, dataset)) return connector;
  const candidates = connectors.filter((one) => owns(one, dataset));
  return candidates.length === 1 ? candidates[0] : undefined;
}

function owns({ kind, namespaces, datahub_env }: Connector, { platform, env }: DatasetUrn): boolean {
  if (datahub_env.toUpperCase() !== env) return false;
  if (kind === 'other') return namespaces.some((namespace) => parseNamespace(namespace).platform === platform);
  return kind === platform || kind === kindOfPlatform.get(platform);
}

function relationOfUrn(connector: Connector, { name }: DatasetUrn): Node | null {
  const instance = connector.datahub_platform_instances.find((one) => name.startsWith(`${one}.`));
  const parts = splitName(instance === undefined ? name : name.slice(instance.length + 1));
  return parts && relationOf(connector, parts);
}
