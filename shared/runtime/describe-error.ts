import { Fault } from '../contract/fault.ts';

type ErrorDescription = {
  readonly name: string;
  /** Of faults of our own alone, whose messages hold no values. */
  readonly code?: string;
  readonly message?: string;
  readonly stack: string;
};

/** What may be logged of an error. A library's message may quote what it was given: of its errors the name and place. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: 'unknown', stack: '' };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...(error instanceof Fault && { code: error.code, message: error.message }),
    stack: frames.slice(0, maxStackFrames).join('\n'),
  };
}

const maxStackFrames = 12;

/** The same error with nothing that may not be logged, for those that log whatever they are thrown. */
export function redactedError(error: unknown): Error {
  const { name, code, message = 'failed', stack } = describeError(error);
  const title = code === undefined ? message : `${code}: ${message}`;
  return Object.assign(new Error(title), { name, stack: `${name}: ${title}\n${stack}` });
}
