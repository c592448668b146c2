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

export const listed = (
  page: { readonly items: readonly unknown[]; readonly next_cursor?: string | null | undefined },
  text: () => string,
): Outcome => ({
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
