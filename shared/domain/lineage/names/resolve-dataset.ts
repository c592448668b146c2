import { findOrAdd } from '../../base/collections.ts';
import { type Node, urnOf } from '../graph/node.ts';
import type { SqlName } from '../sql/types.ts';
import { type Connector, exposuresPrefix, ownNamespace } from './connector.ts';
import { datahubNamesOf, datahubNodeOf } from './datahub-urn.ts';
import { bindingKey, type Namespace, parseNamespace, unownedDataset } from './namespace.ts';
import { wholeName } from './parts.ts';
import { relationOf, splitGlueName, splitName, withSessionSchema } from './relation-ref.ts';

export type DatasetIdentifier = { readonly namespace: string; readonly name: string };

export type NamedDataset = DatasetIdentifier & {
  /** OpenLineage SymlinksDatasetFacet: other names of the dataset. */
  readonly symlinks: readonly (DatasetIdentifier & { readonly type: string })[];
};

type Resolved = {
  readonly node: Node;
  readonly aliases: readonly Node[];
  /** Present if the name is of a partition, a shard or another part of the node. */
  readonly isPart?: true;
};

/**
 * The vertex that an OpenLineage dataset represents, and the nodes that are other names of it.
 *
 * The first of the name, its TABLE and its LOCATION symlinks that a connector owns and that is a complete relation wins;
 * if none is, the dataset stays a node under its own name. Two relations are never one: a symlink that is another
 * relation is no alias (C-IDENTITY-8).
 *
 * @param connectors the workspace's; where two own a namespace the first is taken
 */
export function resolveDataset(
  connectors: readonly Connector[],
  { namespace, name, symlinks }: NamedDataset,
): Resolved {
  // Producers also write `DB_TABLE` and the like.
  const named = (requested: string) => symlinks.filter(({ type }) => type.toUpperCase().endsWith(requested));
  const names = [{ namespace, name }, ...named('TABLE'), ...named('LOCATION')];
  const found = names.map((one) => nodeOfName(connectors, one));
  const meant = found.find(({ node }) => node.kind === 'relation') ?? found[0];
  const node = meant?.node ?? unownedDataset(namespace, name);
  const aliases = new Map(
    found.flatMap((one) =>
      [...(one.node.kind === 'relation' ? [] : [one.node]), ...datahubNamesOf(connectors, one.owner, one.node)].map(
        (name) => [urnOf(name), name] as const,
      ),
    ),
  );
  aliases.delete(urnOf(node));
  return { node, aliases: [...aliases.values()], ...(meant?.isPart && { isPart: true }) };
}

function nodeOfName(
  connectors: readonly Connector[],
  dataset: DatasetIdentifier,
): { readonly node: Node; readonly isPart: boolean; readonly owner?: Connector | undefined } {
  const { namespace, name } = ofGlueArn(dataset.name) ?? ofGlueArn(`${dataset.namespace}/${dataset.name}`) ?? dataset;
  const connector = ownerOf(connectors, namespace);
  if (connector && namespace.startsWith(exposuresPrefix))
    return { node: { kind: 'exposure', connectorId: connector.id, name }, isPart: false };
  const parts = connector ? relationParts(nameRules(connector, namespace), name) : null;
  const relation = connector && parts ? relationOf(connector, withSessionSchema(connector, parts)) : null;
  if (connector && relation) {
    const written = parts?.map(({ text }) => text) ?? [];
    return { node: relation, isPart: wholeName(connector, written) !== written };
  }
  const datahub = datahubNodeOf(namespace, name);
  if (datahub) return { node: datahub, isPart: false };
  const node = unownedDataset(namespace, name, connector?.parts);
  return { node, isPart: unownedDataset(namespace, name, 'apart').name !== node.name, owner: connector };
}

/** The ARN of a table, which names it whatever stands beside it; null if a text is none. */
function ofGlueArn(text: string): DatasetIdentifier | null {
  const [, namespace, name] = /^(arn:aws[a-z-]*:glue:[^/]*):(table\/.+)$/i.exec(text) ?? [];
  return namespace === undefined || name === undefined ? null : { namespace, name };
}

/** Under a connector of a kind without its own rules any namespace has dotted names. */
function nameRules(connector: Connector, namespace: string) {
  const rules = parseNamespace(namespace);
  return connector.kind === 'other' && rules.naming === null ? { ...rules, style: 'dotted' as const } : rules;
}

/** The connector that owns a namespace, in any spelling. */
export const ownerOf = (connectors: readonly Connector[], namespace: string): Connector | undefined =>
  owners(connectors).get(ownedKey(namespace));

/** A connector owns the exposures of its namespaces. */
const ownedKey = (namespace: string): string =>
  bindingKey(namespace.startsWith(exposuresPrefix) ? namespace.slice(exposuresPrefix.length) : namespace);

export const isOwned = (connectors: readonly Connector[], namespace: string): boolean =>
  ownerOf(connectors, namespace) !== undefined;

const ownersOfWorkspace = new WeakMap<readonly Connector[], ReadonlyMap<string, Connector>>();

const owners = (connectors: readonly Connector[]): ReadonlyMap<string, Connector> =>
  findOrAdd(ownersOfWorkspace, connectors, () => {
    const owned = connectors.flatMap((connector) =>
      [...connector.namespaces, ownNamespace(connector.id)].map(
        (namespace) => [ownedKey(namespace), connector] as const,
      ),
    );
    // Where two own a namespace the first counts, so it is set last.
    return new Map(owned.toReversed());
  });

/** The parts of the relation that a dataset's name represents under its namespace; null if it names none. */
function relationParts({ style, platform, database }: Namespace, name: string): SqlName[] | null {
  switch (style) {
    case 'dotted':
      return platform === 'athena' ? splitGlueName(name) : splitName(name);
    case 'glue':
      // Until OpenLineage 0.17 the name was `database.table`.
      return splitGlueName(name);
    case 'cosmos':
      return database === null ? null : named([database, ...(/^colls\/(.+)$/.exec(name)?.slice(1) ?? [])]);
    case 'kusto':
      return named(/^([^/]+)\/([^/]+)$/.exec(name)?.slice(1));
    case 'path':
    case 'object':
    case 'topic':
      return null;
  }
}

const named = (parts: readonly string[] | undefined): SqlName[] | null =>
  parts?.length === 2 ? parts.map((text) => ({ text, quoted: false })) : null;

/** The inverse of `relationParts`: a name that folds to the parts. `ref` is the relation's `relation_ref`. */
export function relationName(style: Namespace['style'], parts: readonly string[], ref: string): string {
  const [database, table] = parts.slice(-2);
  if (database === undefined || table === undefined) return ref;
  if (style === 'glue') return `table/${parts.join('/')}`;
  if (style === 'cosmos') return `colls/${table}`;
  if (style === 'kusto') return `${database}/${table}`;
  return ref;
}

/** Whether names under a namespace may be relations: those of paths, objects and topics are not. */
export const namesRelations = (namespace: string): boolean =>
  !['path', 'object', 'topic'].includes(parseNamespace(namespace).style);

/** Whether a name is a dataset's own, wherever it is read: what a statement defines for itself has one part, and is no path. */
export const isOwnName = ({ namespace, name }: DatasetIdentifier): boolean =>
  parseNamespace(namespace).style !== 'dotted' || name.includes('/') || (splitName(name)?.length ?? 0) > 1;
