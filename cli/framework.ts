import { Command, InvalidArgumentError, Option } from 'commander';
import { ApiFailure } from '../shared/client/api.ts';
import { limits } from '../shared/contract/limits.ts';
import { CommandError, type ExitCode, exitCodes, type Outcome } from './outcome.ts';
import { serviceError } from './service/service-error.ts';
import { type Session, sessionOf } from './session.ts';
import type { GlobalOptions } from './settings/settings.ts';
import { messageColors, printableJson, type Terminal, write } from './terminal/terminal.ts';

export type Context = {
  readonly terminal: Terminal;
  exitCode: ExitCode;
};

/** Opens the session of a command; one that may answer from files chooses by its options. */
export type OpenSession<Options> = (
  globals: GlobalOptions,
  terminal: Terminal,
  options: Options,
  operands: readonly string[],
) => Session | Promise<Session>;

type Handler<Options> = (
  session: Session,
  operands: readonly string[],
  options: Options,
) => Promise<Outcome | ExitCode>;

export const serves = <Options>(
  context: Context,
  handler: Handler<Options>,
  openSession: OpenSession<Options> = sessionOf,
) =>
  acts(context, async (command, globals) => {
    // An option that a command shares with its parent is the parent's, wherever it stands.
    const options = command.optsWithGlobals<Options & Record<string, never>>();
    const session = await openSession(globals, context.terminal, options, command.args);
    try {
      const answer = await handler(session, command.args, options);
      if (typeof answer !== 'number') return withNarrowing(session, answer);
      await printWarnings(context.terminal, globals, narrowing(session));
      return answer;
    } catch (error) {
      // What a name may mean is an answer for programs too.
      const failure = error instanceof ApiFailure && error.detail?.candidates ? serviceError(error) : null;
      if (failure && error instanceof ApiFailure)
        return withNarrowing(session, { json: { detail: error.detail }, text: () => '', failure });
      throw error instanceof CommandError ? narrowedFailure(session, error) : error;
    } finally {
      session.progress.stop();
    }
  });

/** What narrowed an answer, unless that was typed. */
const narrowing = (session: Session): readonly string[] => {
  const narrowedBy = session.narrowedBy();
  return narrowedBy === null ? [] : [`This covers only ${narrowedBy}.`];
};

const withNarrowing = (session: Session, { failure, warnings = [], ...outcome }: Outcome): Outcome =>
  failure
    ? { ...outcome, warnings, failure: narrowedFailure(session, failure) }
    : { ...outcome, warnings: [...narrowing(session), ...warnings] };

function narrowedFailure(session: Session, error: CommandError): CommandError {
  const hints = narrowing(session);
  return hints.length === 0 ? error : new CommandError(error.exitCode, error.message, [...error.hints, ...hints]);
}

type Action = (command: Command, globals: GlobalOptions) => Promise<Outcome | ExitCode>;

/** An action of a command that needs no service. An exit code is answered where the command has printed itself. */
export const acts =
  (context: Context, action: Action) =>
  async (...parameters: readonly unknown[]): Promise<void> => {
    const command = parameters.at(-1);
    if (!(command instanceof Command)) throw new TypeError('commander hands the command over last');
    const globals = command.optsWithGlobals<GlobalOptions>();
    const outcome = await action(command, globals);
    context.exitCode = typeof outcome === 'number' ? outcome : await print(context, globals, outcome);
  };

async function print({ terminal }: Context, globals: GlobalOptions, outcome: Outcome): Promise<ExitCode> {
  const { json, jsonLines } = globals;
  const { failure, items, warnings = [] } = outcome;
  if (jsonLines && items) for (const item of items) await write(terminal.output, `${printableJson(item)}\n`);
  else if (json || jsonLines) await write(terminal.output, `${printableJson(outcome.json, 2)}\n`);
  else if (!failure) await write(terminal.output, `${outcome.text()}\n`);
  await printWarnings(terminal, globals, warnings);
  if (failure) await complain(terminal, failure);
  return failure?.exitCode ?? outcome.exitCode ?? exitCodes.done;
}

async function printWarnings(terminal: Terminal, { quiet }: GlobalOptions, warnings: readonly string[]): Promise<void> {
  const { yellow } = messageColors(terminal);
  if (!quiet) for (const warning of warnings) await write(terminal.messages, `${yellow(warning)}\n`);
}

export async function complain(terminal: Terminal, { message, hints }: CommandError): Promise<void> {
  const { red, dim } = messageColors(terminal);
  await write(terminal.messages, `${[red(message), ...hints.map((hint) => dim(`  ${hint}`))].join('\n')}\n`);
}

export const integer =
  ({ min, max }: { readonly min: number; readonly max: number }) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };

/** How many items of a list are shown. */
export const limitOption = new Option('--limit <n>', 'maximum number of items')
  .argParser(integer({ min: 1, max: 10_000 }))
  .default(limits.page.default);

type Limit = { readonly min: number; readonly max: number; readonly default: number };

/** An option for a whole number, whose description ends with the range. */
export const rangeOption = (flags: string, description: string, { min, max, default: usual }: Limit): Option =>
  new Option(flags, `${description}; ${min} to ${max} (default: ${usual})`).argParser(integer({ min, max }));

export function share(text: string): number {
  const value = Number(text);
  if (/\d/.test(text) && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

/** A value of a repeatable option, or several with commas between them. */
export const someOf =
  (choices: readonly string[]) =>
  (text: string, before: readonly string[] = []): readonly string[] => {
    const values = text.split(',');
    if (values.every((value) => choices.includes(value))) return [...before, ...values];
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  };

export function moment(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new InvalidArgumentError('Expected a time such as 2026-01-31T12:00:00Z.');
}

export const appendValue = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
