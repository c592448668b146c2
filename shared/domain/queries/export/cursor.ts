import * as v from 'valibot';
import { type NodeId, shardCount } from '../../graph/ids.ts';
import { type BoundList, readCursor, writeCursor } from '../../paging/cursor.ts';
import type { ExportRequest } from './export-graph.ts';

/** Where the next page begins: after a node of the scan, and after some events of the next one. */
type ExportPlace = Pick<ExportRequest, 'asOf' | 'from'> & { readonly skip: number };

const Position = v.tuple([
  v.string(),
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount)),
  v.nullable(v.string()),
  v.pipe(v.number(), v.integer(), v.minValue(0)),
]);

type Exported = Pick<ExportRequest, 'workspace' | 'connectorId' | 'profile'>;

const listOf = ({ workspace, connectorId, profile }: Exported): BoundList => [
  'export',
  workspace,
  connectorId,
  profile,
];

export const writeExportCursor = (secret: Uint8Array, request: Exported, { asOf, from, skip }: ExportPlace): string =>
  writeCursor(listOf(request), [asOf, from.shard, from.node, skip], secret);

/** The place of a cursor of the same request; null where there is none. Throws `validation_error` for any other text. */
export function readExportCursor(
  secret: Uint8Array,
  request: Exported,
  cursor: string | null | undefined,
): ExportPlace | null {
  const place = readCursor(listOf(request), Position, cursor, secret);
  if (place === null) return null;
  const [asOf, shard, node, skip] = place;
  return { asOf, from: { shard, node: node as NodeId | null }, skip };
}
