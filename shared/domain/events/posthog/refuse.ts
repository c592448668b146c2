import { Problem, problems } from '../../../contract/problems.ts';

/** Refuses the whole batch for one place of one event. SDKs that log the hint alone show the place by it. */
export function refuse(code: 'invalid_event' | 'unsupported_event', path: string, message: string): never {
  const errors = [{ path, message }];
  if (code === 'invalid_event') throw new Problem(code, { errors });
  throw new Problem(code, { errors, hint: `${path} ${message}. ${problems.unsupported_event.hint}` });
}
