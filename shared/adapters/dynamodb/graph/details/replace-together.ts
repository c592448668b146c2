import type { Change } from '../../batched-changes.ts';
import type { Key } from '../../keys/key.ts';
import { writeStamp } from '../../update-item.ts';
import type { Store, WrittenStore } from './detail-items.ts';
import { nodeDetailAttribute, overflowed, type Packed } from './node-details.ts';

/** Replaces details by newer ones by the batch where the process knows the item; answers whether it did. */
export async function replaceTogether(store: WrittenStore, key: Key, packed: readonly Packed[]): Promise<boolean> {
  const name = [nameOf(store, key)];
  if (!store.known.has(name)) return false;
  const isReplaced = await store.changeTogether(replacing(key, packed));
  if (isReplaced) store.known.noteUnseen(name);
  else store.known.forget(name);
  return isReplaced;
}

/** Notes that an item took details by a write of its own. */
export const noteInline = (store: WrittenStore, key: Key): void => store.known.note([nameOf(store, key)]);

const nameOf = ({ workspace }: Store, { sk }: Key): string => `${workspace} ${sk}`;

/** The item has a detail of each of the edges, and has not overflowed. */
const replacing = (key: Key, details: readonly Packed[]): Change => ({
  key,
  set: [
    ['w', writeStamp()],
    ...details.flatMap(({ from, order, detail }) => [
      [nodeDetailAttribute.order(from), { S: order }] as const,
      [nodeDetailAttribute.detail(from), detail] as const,
    ]),
  ],
  where: [
    { name: overflowed, is: 'missing' },
    ...details.map(
      ({ from, order }) => ({ name: nodeDetailAttribute.order(from), is: '<', value: { S: order } }) as const,
    ),
  ],
});
