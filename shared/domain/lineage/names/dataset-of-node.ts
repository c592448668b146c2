import { isDeepStrictEqual } from 'node:util';
import type { ConnectorId } from '../../../contract/ids.ts';
import type { Node } from '../graph/node.ts';
import { type Connector, exposuresPrefix, ownNamespace, platformOf } from './connector.ts';
import { datahubIdentifier } from './datahub-urn.ts';
import { parseNamespace } from './namespace.ts';
import { partsOfRef, qualifyParts } from './relation-ref.ts';
import { type DatasetIdentifier, relationName } from './resolve-dataset.ts';

/** The name that `resolveDataset` resolves back: under the namespace of the `owner`, or else one that we make. */
export function datasetOf(owner: Connector | null, node: Node): DatasetIdentifier {
  switch (node.kind) {
    case 'dataset':
    case 'inlined':
      return { namespace: node.namespace, name: node.name };
    case 'datahub':
      return datahubIdentifier(node.urn);
    case 'exposure':
      return { namespace: exposuresPrefix + namespaceOf(owner, node.connectorId), name: node.name };
    case 'relation': {
      const namespace = namespaceOf(owner, node.connectorId);
      if (!owner) return { namespace, name: node.ref };
      const whole = partsOfRef(platformOf(owner), node.ref);
      const short = whole.slice(-2);
      // A name may leave out the catalog that is completed when it is read.
      const parts = isDeepStrictEqual(qualifyParts(owner, short), whole) ? short : whole;
      return { namespace, name: relationName(parseNamespace(namespace).style, parts, node.ref) };
    }
  }
}

const namespaceOf = (owner: Connector | null, id: ConnectorId): string => owner?.namespaces[0] ?? ownNamespace(id);
