import type { Change } from '../../batched-changes.ts';
import type { Key } from '../../keys/key.ts';
import { changeKnown } from '../../known-items.ts';
import type { Store, WrittenStore } from './detail-items.ts';
import { nodeDetailAttribute, nodeDetailsItem, overflowed, type Packed } from './node-details.ts';

/** Replaces details by newer ones by the batch where the process knows the item; answers whether it did. */
export const replaceTogether = (store: WrittenStore, key: Key, packed: readonly Packed[]): Promise<boolean> =>
  changeKnown(store, [nameOf(store, key)], () => replacing(key, packed));

/** Notes that an item took details by a write of its own. */
export const noteInline = (store: WrittenStore, key: Key): void => store.known.note([nameOf(store, key)]);

const nameOf = ({ workspace }: Store, { sk }: Key): string => `${workspace} ${sk}`;

/** The item has a detail of each of the edges, and has not overflowed. */
const replacing = (key: Key, details: readonly Packed[]): Change => ({
  key,
  set: Object.entries(nodeDetailsItem(details)),
  where: [
    { name: overflowed, is: 'missing' },
    ...details.map(
      ({ from, order }) => ({ name: nodeDetailAttribute.order(from), is: '<', value: { S: order } }) as const,
    ),
  ],
});
