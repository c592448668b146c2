/** The exit codes that anyone may script against. */
export const exitCodes = {
  done: 0,
  /** Done, and what was asked for was found wanting. */
  wanting: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  unavailable: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An expected failure of a command: what went wrong, what to do about it, and the exit code. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: ExitCode;
  /** Lines that say what is taken instead, or what to do. */
  readonly hints: readonly string[];

  constructor(exitCode: ExitCode, message: string, hints: readonly string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.hints = hints;
  }
}

/** What was typed cannot be meant. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';

  constructor(message: string, hints: readonly string[] = []) {
    super(exitCodes.usage, message, hints);
  }
}

export const notFound = (message: string, hints: readonly string[] = []): CommandError =>
  new CommandError(exitCodes.notFound, message, hints);
