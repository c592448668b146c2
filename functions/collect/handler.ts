import { collectPorts } from '../../shared/runtime/collection-composition.ts';
import { collectionFunction } from '../../shared/runtime/collection-http.ts';

export const handler = collectionFunction(collectPorts());
