import { Problem } from '../../../contract/problems.ts';

/** Refuses the whole batch for one place of one event. */
export function refuse(code: 'invalid_event' | 'unsupported_event', path: string, message: string): never {
  throw new Problem(code, { errors: [{ path, message }] });
}
