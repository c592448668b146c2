import { type Answer, type Api, type Items, type Question, readAnswer, readItems } from '../shared/client/api.ts';
import type { Route } from '../shared/contract/route.ts';
import { type Row, table } from './terminal/terminal.ts';

export type Outcome = {
  readonly json: unknown;
  /** What people read on standard output, made when it is wanted. Text of the data in it has to be printable. */
  readonly text: () => string;
  /** What --json-lines prints, a line each, if the answer is a list. */
  readonly items?: readonly unknown[];
  readonly warnings?: readonly string[];
  readonly exitCode?: ExitCode;
  /** Done, but the requested item does not exist: printed instead of the text, in addition to the JSON. */
  readonly failure?: CommandError;
};

/** The JSON of a response, and its text for people. Only the text requires that the JSON fits the route's schema. */
export async function requestOutcome<R extends Route>(
  { ask }: Pick<Api, 'ask'>,
  route: R,
  question: Question,
  text: (answer: Answer<R>) => string,
): Promise<Outcome> {
  const json = await ask(route, question);
  return { json, text: () => text(readAnswer(route, json)) };
}

type Page = { readonly items: readonly unknown[]; readonly next_cursor?: string | null | undefined };

/** A list, and its text: a table with a row for each item, or `none`. */
export const tableOf = <R extends Route>(
  route: R,
  page: Page,
  none: string,
  row: (item: Items<R>[number]) => Row,
): Outcome =>
  listed(page, () => {
    const items = readItems(route, page);
    return items.length === 0 ? none : table(items.map(row)).join('\n');
  });

export const listed = (page: Page, text: () => string): Outcome => ({
  json: page,
  items: page.items,
  text,
  ...(page.next_cursor && { warnings: ['There are more. Use --limit to list more.'] }),
});

export const withLeftOut = (outcome: Outcome, lines: readonly string[]): Outcome => ({
  ...outcome,
  warnings: [...lines, ...(outcome.warnings ?? [])],
});

/** The exit codes that anyone may script against. */
export const exitCodes = {
  done: 0,
  /** Done, and the check or comparison failed. */
  wanting: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  unavailable: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: ExitCode;
  readonly hints: readonly string[];

  constructor(exitCode: ExitCode, message: string, hints: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.hints = hints;
  }
}

export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string, hints: readonly string[] = []) {
    super(exitCodes.usage, message, hints);
  }
}

export const notFound = (message: string, hints: readonly string[] = []): CommandError =>
  new CommandError(exitCodes.notFound, message, hints);
