import { collectionFunction } from '../../shared/runtime/collection-http.ts';
import { collectPorts } from '../../shared/runtime/composition.ts';

export const handler = collectionFunction(collectPorts());
