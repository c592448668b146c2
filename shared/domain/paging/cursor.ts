import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../../contract/problems.ts';

/** What a page belongs to: the list, its workspace, and the filters that were given. */
export type BoundList = readonly [list: string, ...what: readonly unknown[]];

/** Base64url digits of the digest: 132 bits. */
const digestLength = 22;
const unsigned = new Uint8Array();

/**
 * The cursor of the page after a place of a list.
 * @param secret signs it; a cursor that only names a place in the caller's own list needs none
 */
export function writeCursor(list: BoundList, place: unknown, secret: Uint8Array = unsigned): string {
  const content = Buffer.from(JSON.stringify(place)).toString('base64url');
  return `${content}.${digestOf(list, content, secret)}`;
}

/** The place of a cursor of the same list and filters; null where none is given. Throws `validation_error` for any other text. */
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
