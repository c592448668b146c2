import { type Node, urnOf } from '../graph/node.ts';
import type { Connector } from './connector.ts';
import { datahubNodeOf } from './datahub-urn.ts';
import { relationParts, unownedDataset } from './dataset-name.ts';
import { bindingKey, parseNamespace } from './namespace.ts';
import { relationOf, withSessionSchema } from './relation-ref.ts';

export type DatasetIdentifier = { readonly namespace: string; readonly name: string };

export type NamedDataset = DatasetIdentifier & {
  /** OpenLineage SymlinksDatasetFacet: other names of the dataset. */
  readonly symlinks: readonly (DatasetIdentifier & { readonly type: string })[];
};

/**
 * The vertex that an OpenLineage dataset stands for, and the nodes that are other names of it.
 *
 * The first of the name, its TABLE and its LOCATION symlinks that a connector owns and that is a complete relation wins;
 * where none is, the dataset stays a node under its own name. Two relations are never one: a symlink that is another
 * relation is no alias (C-IDENTITY-8).
 *
 * @param connectors the workspace's; where two own a namespace the first is taken
 */
export function resolveDataset(
  connectors: readonly Connector[],
  { namespace, name, symlinks }: NamedDataset,
): { readonly node: Node; readonly aliases: readonly Node[] } {
  const named = (wanted: string) => symlinks.filter(({ type }) => type.toUpperCase() === wanted);
  const names = [{ namespace, name }, ...named('TABLE'), ...named('LOCATION')];
  const nodes = names.map((one) => nodeOfName(connectors, one));
  const [primary, ...others] = nodes;
  const node = nodes.find(({ kind }) => kind === 'relation') ?? primary ?? unownedDataset(namespace, name);
  const aliases = new Map(
    [...(primary ? [primary] : []), ...others]
      .filter(({ kind }) => kind !== 'relation')
      .map((one) => [urnOf(one), one]),
  );
  aliases.delete(urnOf(node));
  return { node, aliases: [...aliases.values()] };
}

function nodeOfName(connectors: readonly Connector[], { namespace, name }: DatasetIdentifier): Node {
  const connector = ownerOf(connectors, namespace);
  const parts = connector ? relationParts(nameRules(connector, namespace), name) : null;
  const relation = connector && parts ? relationOf(connector, withSessionSchema(connector, parts)) : null;
  return relation ?? datahubNodeOf(namespace, name) ?? unownedDataset(namespace, name);
}

/** Under a connector of a kind without rules of its own any namespace has dotted names. */
function nameRules(connector: Connector, namespace: string) {
  const rules = parseNamespace(namespace);
  return connector.kind === 'other' && rules.naming === null ? { ...rules, style: 'dotted' as const } : rules;
}

/** The connector that owns a namespace, in whichever spelling. */
const ownerOf = (connectors: readonly Connector[], namespace: string): Connector | undefined =>
  owners(connectors).get(bindingKey(namespace));

/** Whether some connector owns a namespace, in whichever spelling. */
export const isOwned = (connectors: readonly Connector[], namespace: string): boolean =>
  ownerOf(connectors, namespace) !== undefined;

const ownersOfWorkspace = new WeakMap<readonly Connector[], ReadonlyMap<string, Connector>>();

function owners(connectors: readonly Connector[]): ReadonlyMap<string, Connector> {
  const known = ownersOfWorkspace.get(connectors);
  if (known) return known;
  const found = new Map<string, Connector>();
  for (const connector of connectors)
    for (const namespace of connector.namespaces) {
      const key = bindingKey(namespace);
      if (!found.has(key)) found.set(key, connector);
    }
  ownersOfWorkspace.set(connectors, found);
  return found;
}
