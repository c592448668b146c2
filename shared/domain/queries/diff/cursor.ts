import { Problem } from '../../../contract/problems.ts';
import { type NodeId, nodeIdLength, shardCount } from '../../graph/ids.ts';
import { type ScanPosition, scanStart } from '../../traversal/scan-graph.ts';

/** It names a place in the order of the caller's own graph alone, whatever it says: it needs no signature. */
export const writeCursor = ({ shard, node }: ScanPosition): string =>
  Buffer.from(`${shard}.${node ?? ''}`).toString('base64url');

const place = new RegExp(`^(\\d{1,2})\\.([a-z2-7]{${nodeIdLength}})?$`);

/** The place of a cursor; the start where there is none. Throws `validation_error`. */
export function readCursor(cursor: string | null): ScanPosition {
  if (cursor === null) return scanStart;
  const [, shard, node] = place.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (shard !== undefined && Number(shard) < shardCount) {
    return { shard: Number(shard), node: (node as NodeId | undefined) ?? null };
  }
  throw new Problem('validation_error', {
    errors: [{ path: '/query/cursor', message: 'must be the next_cursor of the page before' }],
  });
}
