import { storeEventsPorts } from '../../shared/runtime/composition.ts';
import { storeEventsFunction } from '../../shared/runtime/store-messages.ts';

export const handler = storeEventsFunction(storeEventsPorts());
