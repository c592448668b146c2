import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../../contract/problems.ts';

/** What a cursor belongs to: the secret of the deployment, and the workspace and filters of its list. */
export type CursorBinding = { readonly secret: Uint8Array; readonly of: readonly unknown[] };

/** A position in a list as an opaque text that holds for the same list alone. */
export function writeSignedCursor(binding: CursorBinding, position: readonly unknown[]): string {
  const content = JSON.stringify(position);
  return `${Buffer.from(content).toString('base64url')}.${signature(binding, content).toString('base64url')}`;
}

/** The position of a cursor that was written for the same list. Throws `validation_error` for any other text. */
export function readSignedCursor<S extends v.GenericSchema>(
  binding: CursorBinding,
  position: S,
  cursor: string,
): v.InferOutput<S> {
  const [encoded = '', signed = ''] = cursor.split('.');
  const content = Buffer.from(encoded, 'base64url').toString('utf8');
  const expected = signature(binding, content);
  const given = Buffer.from(signed, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notOurs();
  return v.parse(position, JSON.parse(content));
}

const signature = ({ secret, of }: CursorBinding, content: string): Buffer =>
  createHmac('sha256', secret)
    .update(JSON.stringify([...of, content]))
    .digest();

const notOurs = () =>
  new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'must be the next_cursor of the page before, with the same filters' }],
  });
