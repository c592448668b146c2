import * as v from 'valibot';
import { type BoundList, readCursor, writeCursor } from './cursor.ts';

type PageRequest = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** To which list a cursor belongs. */
  readonly list: BoundList;
};

const Position = v.tuple([v.string(), v.string()]);

/**
 * A page of a list that is held whole, newest first.
 * @param orderOf the time of an item, and what tells it from the others of that time
 */
export function newestFirst<T>(
  items: readonly T[],
  orderOf: (item: T) => readonly [string, string],
  { limit, cursor, list }: PageRequest,
): { readonly items: T[]; readonly next_cursor: string | null } {
  const sorted = items.map((item) => ({ item, order: orderOf(item) })).sort((a, b) => compare(b.order, a.order));
  const after = readCursor(list, Position, cursor);
  const rest = after === null ? sorted : sorted.filter(({ order }) => compare(order, after) < 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ item }) => item),
    next_cursor: rest.length > limit && last ? writeCursor(list, last.order) : null,
  };
}

function compare([at, id]: readonly [string, string], [otherAt, otherId]: readonly [string, string]): number {
  if (at !== otherAt) return at < otherAt ? -1 : 1;
  if (id === otherId) return 0;
  return id < otherId ? -1 : 1;
}
