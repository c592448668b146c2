import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { Problem } from '../../contract/problems.ts';
import { type NodeId, shardCount } from '../graph/ids.ts';
import type { ExportRequest } from './export-graph.ts';

/** Where the next page begins: after a node of the scan, and after some events of the next one. */
export type ExportPlace = Pick<ExportRequest, 'asOf' | 'from'> & { readonly skip: number };

const Place = v.tuple([
  v.string(),
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount)),
  v.nullable(v.string()),
  v.pipe(v.number(), v.integer(), v.minValue(0)),
]);

/** What a cursor is bound to: one of another workspace, connector or profile does not verify. */
type Bound = Pick<ExportRequest, 'workspace' | 'connectorId' | 'profile'>;

const signature = (secret: Uint8Array, { workspace, connectorId, profile }: Bound, content: string) =>
  createHmac('sha256', secret)
    .update(JSON.stringify([workspace, connectorId, profile, content]))
    .digest();

export function writeCursor(secret: Uint8Array, bound: Bound, { asOf, from, skip }: ExportPlace): string {
  const content = JSON.stringify([asOf, from.shard, from.node, skip]);
  return `${Buffer.from(content).toString('base64url')}.${signature(secret, bound, content).toString('base64url')}`;
}

/** The place of a cursor that `writeCursor` made for the same request. Throws `validation_error` for any other text. */
export function readCursor(secret: Uint8Array, bound: Bound, cursor: string): ExportPlace {
  const [encoded = '', signed = ''] = cursor.split('.');
  const content = Buffer.from(encoded, 'base64url').toString('utf8');
  const expected = signature(secret, bound, content);
  const given = Buffer.from(signed, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notOurs();
  const [asOf, shard, node, skip] = v.parse(Place, JSON.parse(content));
  return { asOf, from: { shard, node: node as NodeId | null }, skip };
}

const notOurs = () =>
  new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'must be the next_cursor of the page before, with the same filters' }],
  });
