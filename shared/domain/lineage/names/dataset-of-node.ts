import { isDeepStrictEqual } from 'node:util';
import type { Node } from '../graph/node.ts';
import { type Connector, platformOf } from './connector.ts';
import { datahubIdentifier } from './datahub-urn.ts';
import { parseNamespace } from './namespace.ts';
import { partsOfRef, qualifyParts } from './relation-ref.ts';
import { type DatasetIdentifier, relationName } from './resolve-dataset.ts';

/** The name that `resolveDataset` resolves back. Null for an exposure, or if the `owner` has no namespace. */
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
      const whole = partsOfRef(platformOf(owner), node.ref);
      const short = whole.slice(-2);
      // A name may leave out the catalog that is completed when it is read.
      const parts = isDeepStrictEqual(qualifyParts(owner, short), whole) ? short : whole;
      return { namespace, name: relationName(parseNamespace(namespace).style, parts, node.ref) };
    }
  }
}
