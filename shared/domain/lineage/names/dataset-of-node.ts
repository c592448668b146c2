import type { Node } from '../graph/node.ts';
import { type Connector, platformOf } from './connector.ts';
import { datahubIdentifier } from './datahub-urn.ts';
import { parseNamespace } from './namespace.ts';
import { partsOfRef } from './relation-ref.ts';
import { type DatasetIdentifier, relationName } from './resolve-dataset.ts';

/**
 * The OpenLineage name of a node, which `resolveDataset` brings back to the node. Null where it has none: an exposure,
 * or a relation of a connector that owns no namespace.
 *
 * @param owner the relation's connector; null for a node that no connector owns
 */
export function datasetOf(owner: Connector | null, node: Node): DatasetIdentifier | null {
  switch (node.kind) {
    case 'dataset':
    case 'inlined':
      return { namespace: node.namespace, name: node.name };
    case 'datahub':
      return datahubIdentifier(node.urn);
    case 'exposure':
      return null;
    case 'relation': {
      const namespace = owner?.namespaces[0];
      if (!owner || namespace === undefined) return null;
      const parts = partsOfRef(platformOf(owner), node.ref);
      return { namespace, name: relationName(parseNamespace(namespace).style, parts, node.ref) };
    }
  }
}
