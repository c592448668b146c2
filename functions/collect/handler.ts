import { collectionFunction } from '../../shared/runtime/collection-http.ts';
import { collectionPorts } from '../../shared/runtime/collection-ports.ts';

export const handler = collectionFunction(collectionPorts());
