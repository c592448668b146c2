import { storePorts } from '../../shared/runtime/collection-ports.ts';
import { storeEventsFunction } from '../../shared/runtime/store-messages.ts';

export const handler = storeEventsFunction(storePorts());
