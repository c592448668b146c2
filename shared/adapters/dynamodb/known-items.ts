import { lruCache } from '../../domain/lru-cache.ts';
import type { Change, ChangeTogether } from './batched-changes.ts';

/** Writes of an item by the batch, which does not tell what it consumed, before one by itself tells how large it is. */
const writesUnseen = 16;

/** What a process knows to be in the table, and to be small, by writes of its own. */
export type KnownItems = {
  /** Whether all of these are known. */
  readonly has: (names: readonly string[]) => boolean;
  /** Notes that a write of its own told of these that they are there and small. */
  readonly note: (names: readonly string[]) => void;
  /** Notes that they were written unseen. */
  readonly noteUnseen: (names: readonly string[]) => void;
  readonly forget: (names: readonly string[]) => void;
};

/** Nothing is known at first; of 100,000 items those are forgotten that were not asked about for longest. */
export function knownItems(): KnownItems {
  const writesLeft = lruCache<string, number>(100_000);
  const setAll = (names: readonly string[], left: (name: string) => number) => {
    for (const name of names) writesLeft.set(name, left(name));
  };
  return {
    has: (names) => names.every((name) => (writesLeft.get(name) ?? 0) > 0),
    note: (names) => setAll(names, () => writesUnseen),
    noteUnseen: (names) => setAll(names, (name) => (writesLeft.get(name) ?? 1) - 1),
    forget: (names) => setAll(names, () => 0),
  };
}

type Writer = { readonly known: KnownItems; readonly changeTogether: ChangeTogether };

/** Makes a change by the batch where the process knows what it is of; answers whether it is known to be made. */
export async function changeKnown(
  { known, changeTogether }: Writer,
  names: readonly string[],
  change: () => Change,
): Promise<boolean> {
  if (!known.has(names)) return false;
  const isMade = await changeTogether(change());
  if (isMade) known.noteUnseen(names);
  else known.forget(names);
  return isMade;
}
