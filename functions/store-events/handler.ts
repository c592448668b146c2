import { storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { storeEventsFunction } from '../../shared/runtime/store-messages.ts';

export const handler = storeEventsFunction(storeEventsPorts());
