import * as v from 'valibot';
import { HostRefusal } from './answers.ts';

/** What a request sent, by its schema; else the host's 422. */
export function readBody<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const { success, output } = v.safeParse(schema, body);
  if (!success) throw new HostRefusal(422, 'Invalid request.');
  return output;
}
