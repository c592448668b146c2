import * as v from 'valibot';
import { timestamp } from '../../../../contract/fields.ts';
import { type BoundList, foreignCursor, readCursor, writeCursor } from '../../../base/paging/cursor.ts';
import { type NodeId, nodeIdLength, shardCount } from '../../graph/node.ts';
import { type ScanPosition, scanStart } from '../../traversal/scan-graph.ts';

/** Where a comparison goes on, and the moment up to which its first page compared. */
type Place = { readonly to: string; readonly start: ScanPosition };

type Compared = {
  readonly workspace: string;
  readonly connectorId: string;
  readonly from: string;
  /** Null: now, or the moment of the page before. */
  readonly to: string | null;
  readonly cursor: string | null;
};

const nodePattern = new RegExp(`^[a-z2-7]{${nodeIdLength}}$`);

export const ScanPlace = v.object({
  shard: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(shardCount - 1)),
  node: v.nullable(v.custom<NodeId>((text) => typeof text === 'string' && nodePattern.test(text))),
});
const Position = v.object({ to: timestamp, ...ScanPlace.entries });

const listingOf = ({ workspace, connectorId, from }: Omit<Compared, 'to' | 'cursor'>): BoundList => [
  'diff',
  workspace,
  connectorId,
  from,
];

export const writeDiffCursor = (compared: Omit<Compared, 'to' | 'cursor'>, { to, start }: Place): string =>
  writeCursor(listingOf(compared), { to, ...start });

/** The place of a cursor of the same comparison; the start where there is none. Throws `validation_error`. */
export function readDiffCursor(compared: Compared, now: string): Place {
  const { to, cursor } = compared;
  const place = readCursor(listingOf(compared), Position, cursor);
  if (place === null) return { to: to ?? now, start: scanStart };
  if (to !== null && to !== place.to) throw foreignCursor();
  return { to: place.to, start: { shard: place.shard, node: place.node } };
}
