import type { CollectionEvent } from '../../../../contract/collection.ts';

/** True of nothing but what `CollectionEvent` takes, and false of some of that. */
export const isSurelyValid: (event: unknown) => event is CollectionEvent;
