import * as v from 'valibot';
import { type NodeId, shardCount } from '../../graph/ids.ts';
import { readSignedCursor, writeSignedCursor } from '../../paging/signed-cursor.ts';
import type { ExportRequest } from './export-graph.ts';

/** Where the next page begins: after a node of the scan, and after some events of the next one. */
type ExportPlace = Pick<ExportRequest, 'asOf' | 'from'> & { readonly skip: number };

const Position = v.tuple([
  v.string(),
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount)),
  v.nullable(v.string()),
  v.pipe(v.number(), v.integer(), v.minValue(0)),
]);

/** What a cursor is bound to: one of another workspace, connector or profile does not verify. */
type Bound = Pick<ExportRequest, 'workspace' | 'connectorId' | 'profile'>;

const binding = (secret: Uint8Array, { workspace, connectorId, profile }: Bound) => ({
  secret,
  of: [workspace, connectorId, profile],
});

export const writeCursor = (secret: Uint8Array, bound: Bound, { asOf, from, skip }: ExportPlace): string =>
  writeSignedCursor(binding(secret, bound), [asOf, from.shard, from.node, skip]);

/** The place of a cursor that `writeCursor` made for the same request. Throws `validation_error` for any other text. */
export function readCursor(secret: Uint8Array, bound: Bound, cursor: string): ExportPlace {
  const [asOf, shard, node, skip] = readSignedCursor(binding(secret, bound), Position, cursor);
  return { asOf, from: { shard, node: node as NodeId | null }, skip };
}
