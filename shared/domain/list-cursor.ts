import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../contract/problems.ts';

/** What a page belongs to: the list, its workspace, and the filters that were given. */
export type BoundList = readonly [list: string, ...what: readonly unknown[]];

const digestLength = 16;

/** The cursor of the page after a place of a list. It names a place in the caller's own list, so it needs no signature. */
export function writeListCursor(listing: BoundList, place: unknown): string {
  const content = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${content}.${digestOf(listing, content)}`;
}

/** The place of a cursor of the same list and filters; null where none is given. Throws `validation_error` for any other text. */
export function readListCursor<S extends v.GenericSchema>(
  listing: BoundList,
  Place: S,
  cursor: string | null | undefined,
): v.InferOutput<S> | null {
  if (cursor === null || cursor === undefined) return null;
  const [content = '', digest] = cursor.split('.');
  if (digest !== digestOf(listing, content)) throw foreignCursor();
  const place = v.safeParse(v.pipe(v.string(), v.parseJson(), Place), Buffer.from(content, 'base64url').toString());
  if (!place.success) throw foreignCursor();
  return place.output;
}

/** Filters that are left out equal those that are given as undefined or null. */
const digestOf = (listing: BoundList, content: string): string =>
  createHash('sha256')
    .update(JSON.stringify([listing.map((one) => one ?? null), content]))
    .digest('base64url')
    .slice(0, digestLength);

/** The refusal of a cursor that another list, or nobody, wrote. */
export const foreignCursor = (): Problem =>
  new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'must be the next_cursor of the page before, with the same filters' }],
  });
