import * as v from 'valibot';
import { NotUnderstood, optionalText } from './tool.ts';

/** Characters of the items of one page, as JSON: with the rest of an answer about 5,000 tokens. */
const pageCharacters = 14_000;

/** One part of a list, and the cursor after it: an API page, or a whole list that the tool holds. */
type Part<T> = { readonly items: readonly T[]; readonly next?: string | null | undefined };

/** A position in a list: the cursor of the API's page, the items of it that were shown, and the time of the first page. */
type Position = { readonly page: string | null; readonly skip: number; readonly asOf: string | null };

const start: Position = { page: null, skip: 0, asOf: null };

const Encoded = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return JSON.parse(Buffer.from(dataset.value, 'base64url').toString('utf8')) as unknown;
    } catch {
      addIssue({ message: 'is no cursor' });
      return NEVER;
    }
  }),
  v.strictTuple([v.nullable(v.string()), v.pipe(v.number(), v.integer(), v.minValue(0)), v.nullable(v.string())]),
);

export const positionOf = (cursor: string | undefined): Position => {
  if (cursor === undefined) return start;
  const parsed = v.safeParse(Encoded, cursor);
  if (!parsed.success)
    throw new NotUnderstood('invalid_cursor', 'The cursor is none of this server. Repeat the call without it.');
  const [page, skip, asOf] = parsed.output;
  return { page, skip, asOf };
};

const written = ({ page, skip, asOf }: Position): string =>
  Buffer.from(JSON.stringify([page, skip, asOf])).toString('base64url');

export const pageArguments = (most: number, usual: number) => ({
  limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description('Items of a page at most.')),
    usual,
  ),
  cursor: optionalText('next_cursor of the previous answer, with the other arguments unchanged.'),
});

export const pageFields = {
  shown: v.pipe(v.number(), v.integer()),
  total: v.pipe(v.nullable(v.number()), v.description('Null: not counted; follow next_cursor to the end.')),
  next_cursor: v.nullable(v.string()),
};

export type Page<T> = {
  readonly items: readonly T[];
  readonly shown: number;
  readonly total: number | null;
  readonly next_cursor: string | null;
  /** In words, what the fields above say: nothing may be missing unnoticed. */
  readonly words: string;
};

type PageOptions = { readonly limit: number; readonly noun: string; readonly asOf?: string | undefined };

/** As many items from a position as fit, at least one. `next`: the API's cursor after this part. */
export function pageAt<T>(part: Part<T>, position: Position, { limit, noun, asOf }: PageOptions): Page<T> {
  const rest = part.items.slice(position.skip);
  const items = fitting(rest.slice(0, limit));
  const left = rest.length - items.length;
  const after = { page: position.page, skip: position.skip + items.length, asOf: asOf ?? position.asOf };
  const following = left > 0 ? after : part.next ? { ...after, page: part.next, skip: 0 } : null;
  const total = part.next || position.page !== null ? null : part.items.length;
  const next_cursor = following && written(following);
  return {
    items,
    shown: items.length,
    total,
    next_cursor,
    words: inWords(position, { items, total, following, noun }),
  };
}

function inWords(
  { page, skip }: Position,
  {
    items,
    total,
    following,
    noun,
  }: { items: readonly unknown[]; total: number | null; following: unknown; noun: string },
): string {
  if (following !== null)
    return `This page has ${items.length} of ${total ?? 'more than that many'} ${noun}: pass next_cursor for the rest.`;
  if (page === null && skip === 0) return items.length === 0 ? `No ${noun}.` : `All ${items.length} ${noun} are here.`;
  return `These are the last of the ${noun}.`;
}

function fitting<T>(items: readonly T[]): readonly T[] {
  let left = pageCharacters;
  const end = items.findIndex((item, index) => {
    left -= JSON.stringify(item).length;
    return left < 0 && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}
