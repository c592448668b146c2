import { collectionFunction } from '../../shared/runtime/collection-http.ts';
import { collectPorts } from '../../shared/runtime/composition/collection.ts';

export const handler = collectionFunction(collectPorts());
