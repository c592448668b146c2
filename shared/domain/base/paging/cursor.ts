import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../../../contract/problems.ts';

/** What a page belongs to: the list, its workspace, and the filters that were given. */
export type BoundList = readonly [list: string, ...what: readonly unknown[]];

/** Base64url digits of the digest: 132 bits. */
const digestLength = 22;
const unsigned = new Uint8Array();

/** The cursor of the page after a place. Without a secret only for a place in the caller's own list. */
export function writeCursor(list: BoundList, place: unknown, secret: Uint8Array = unsigned): string {
  const content = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${content}.${digestOf(list, content, secret)}`;
}

/** The place of a cursor of the same list and filters; null if none is given. Throws `validation_error` for any other text. */
export function readCursor<S extends v.GenericSchema>(
  list: BoundList,
  Place: S,
  cursor: string | null | undefined,
  secret: Uint8Array = unsigned,
): v.InferOutput<S> | null {
  if (cursor === null || cursor === undefined) return null;
  const [content = '', digest = ''] = cursor.split('.');
  const [given, expected] = [Buffer.from(digest), Buffer.from(digestOf(list, content, secret))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw foreignCursor();
  const place = v.safeParse(v.pipe(v.string(), v.parseJson(), Place), Buffer.from(content, 'base64url').toString());
  if (!place.success) throw foreignCursor();
  return place.output;
}

export function cutPage<T>(list: BoundList, found: readonly T[], limit: number, placeOf: (item: T) => unknown) {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: found.length > limit && last !== undefined ? writeCursor(list, placeOf(last)) : null };
}

/** Filters that are left out equal those that are given as undefined or null. */
const digestOf = (list: BoundList, content: string, secret: Uint8Array): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([list.map((one) => one ?? null), content]))
    .digest('base64url')
    .slice(0, digestLength);

/** The refusal of a cursor that another list, or nobody, wrote. */
export const foreignCursor = (): Problem =>
  new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'must be the next_cursor of the page before, with the same filters' }],
  });

/** What a client requests of a list: a number of items, after the page whose `next_cursor` it gives. */
export type PageRequest = { readonly limit: number; readonly cursor?: string | undefined };

/** A page of a list in memory, whose items are in the order of their ids. */
export function pageById<T extends { readonly id: string }>(
  list: BoundList,
  items: readonly T[],
  { limit, cursor }: PageRequest,
) {
  const after = readCursor(list, v.string(), cursor);
  const rest = items.filter(({ id }) => after === null || id > after);
  return cutPage(list, rest, limit, ({ id }) => id);
}

const Position = v.tuple([v.string(), v.string()]);

/** A page of a list in memory, newest first; `orderOf` must tell items of one time apart. */
export function newestFirst<T>(
  items: readonly T[],
  orderOf: (item: T) => readonly [string, string],
  { limit, cursor, list }: PageRequest & { readonly list: BoundList },
): { readonly items: T[]; readonly next_cursor: string | null } {
  const sorted = items.map((item) => ({ item, order: orderOf(item) })).sort((a, b) => compare(b.order, a.order));
  const after = readCursor(list, Position, cursor);
  const rest = after === null ? sorted : sorted.filter(({ order }) => compare(order, after) < 0);
  const { page, next_cursor } = cutPage(list, rest, limit, ({ order }) => order);
  return { items: page.map(({ item }) => item), next_cursor };
}

function compare([at, id]: readonly [string, string], [otherAt, otherId]: readonly [string, string]): number {
  if (at !== otherAt) return at < otherAt ? -1 : 1;
  if (id === otherId) return 0;
  return id < otherId ? -1 : 1;
}
