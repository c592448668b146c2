import * as v from 'valibot';
import { jsonSchema } from '../contract/api/openapi-schema.ts';
import { asWritten } from './plain-text.ts';
import { type Answer, NotUnderstood, optionalText, type Tool, type ToolContext } from './tool.ts';

/** Characters of the items of one page, as JSON: with the rest of an answer about 5,000 tokens. */
const pageCharacters = 14_000;

/** A position in a list: the cursor of the API's page, the items of it that were shown, and the time of the first page. */
type Position = { readonly page: string | null; readonly skip: number; readonly asOf: string | null };

const Encoded = v.pipe(
  v.string(),
  v.transform((cursor) => Buffer.from(cursor, 'base64url').toString('utf8')),
  v.parseJson(),
  v.strictTuple([v.nullable(v.string()), v.pipe(v.number(), v.integer(), v.minValue(0)), v.nullable(v.string())]),
  v.transform(([page, skip, asOf]): Position => ({ page, skip, asOf })),
);

const positionOf = (cursor: string | undefined): Position => {
  if (cursor === undefined) return { page: null, skip: 0, asOf: null };
  const parsed = v.safeParse(Encoded, cursor);
  if (parsed.success) return parsed.output;
  throw new NotUnderstood('invalid_cursor', 'The cursor is none of this server. Repeat the call without it.');
};

const written = ({ page, skip, asOf }: Position): string =>
  Buffer.from(JSON.stringify([page, skip, asOf])).toString('base64url');

/** What a list tool found; the tool shows as much of it as fits a page. */
type Found = {
  /** A function makes an item that takes work: only those of the page are made. */
  readonly items: readonly unknown[];
  /** The route's cursor after these items. */
  readonly next?: string | null | undefined;
  /** The time of a graph answer, which the following pages keep. */
  readonly asOf?: string | null | undefined;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly advice: readonly (string | false)[];
};

/** A tool whose answer is a page of a list (C-AGENT-9). */
export const listTool = <const E extends v.ObjectEntries>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The field of the list, and its items in words, if those differ. */
  readonly list: string;
  readonly noun?: string;
  readonly limit: { readonly most: number; readonly usual: number };
  readonly input: E;
  readonly output?: v.ObjectEntries;
  readonly run: (
    context: ToolContext,
    input: v.InferOutput<v.ObjectSchema<E, undefined>>,
    position: Position,
  ) => Promise<Found | Answer>;
}): Tool => {
  const { list, noun = list, limit, input, output, run, ...described } = definition;
  const paging = { limit: v.optional(pageLimit(limit.most), limit.usual), cursor: optionalText(cursorText) };
  const call = async (context: ToolContext, request: unknown): Promise<Answer> => {
    const named = asWritten(request);
    const page = v.parse(v.object(paging), named);
    const position = positionOf(page.cursor);
    const found = await run(context, v.parse(v.object(input), named), position);
    return 'advice' in found ? answerOf(found as Found, position, { limit: page.limit, list, noun }) : found;
  };
  const fields = { ...output, ...v.partial(v.object({ [list]: v.array(v.looseObject({})), ...pageFields })).entries };
  return {
    ...described,
    inputSchema: objectSchema(v.object({ ...input, ...paging }), 'input'),
    outputSchema: objectSchema(v.looseObject({ ...fields, next: nextStep }), 'output'),
    call,
  };
};

const objectSchema = (schema: v.GenericSchema, mode: 'input' | 'output') =>
  ({ ...jsonSchema(schema, mode), type: 'object' }) as const;

const cursorText = 'next_cursor of the previous answer, with the other arguments unchanged.';
const pageLimit = (most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most), v.description('Items of a page at most.'));

const pageFields = {
  shown: v.pipe(v.number(), v.integer()),
  total: v.pipe(v.nullable(v.number()), v.description('Null: not counted; follow next_cursor to the end.')),
  next_cursor: v.nullable(v.string()),
};
const nextStep = v.pipe(v.string(), v.description('What is missing in this answer, and what to call next.'));

type PageOptions = { readonly limit: number; readonly list: string; readonly noun: string };

/** As many items from a position as fit, at least one. */
async function answerOf(found: Found, position: Position, { limit, list, noun }: PageOptions): Promise<Answer> {
  const { next = null, asOf = null, fields, advice } = found;
  const rest = found.items.slice(position.skip);
  const items = fitting(
    await Promise.all(rest.slice(0, limit).map((one) => (typeof one === 'function' ? one() : one))),
  );
  const after = { page: position.page, skip: position.skip + items.length, asOf: asOf ?? position.asOf };
  const isCut = items.length < rest.length;
  const following = isCut ? after : next && { ...after, page: next, skip: 0 };
  const total = next || position.page !== null ? null : found.items.length;
  const words = inWords(position, { shown: items.length, total, isLast: !following, noun });
  return {
    ...fields,
    shown: items.length,
    total,
    next_cursor: following && written(following),
    [list]: items,
    next: [words, ...advice.filter((one) => one !== false)].join(' '),
  };
}

type Counts = {
  readonly shown: number;
  readonly total: number | null;
  readonly isLast: boolean;
  readonly noun: string;
};

function inWords({ page, skip }: Position, { shown, total, isLast, noun }: Counts): string {
  if (!isLast)
    return `This page has ${shown} of ${total ?? 'an unknown number of'} ${noun}: pass next_cursor for the rest.`;
  if (page === null && skip === 0) {
    if (shown === 0) return `No ${noun}.`;
    return shown === 1 ? 'There is only this one.' : `All ${shown} ${noun} are here.`;
  }
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
