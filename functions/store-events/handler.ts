import { storeEventsPorts } from '../../shared/runtime/collection-composition.ts';
import { storeEventsFunction } from '../../shared/runtime/store-messages.ts';

export const handler = storeEventsFunction(storeEventsPorts());
