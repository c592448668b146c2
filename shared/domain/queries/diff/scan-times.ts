import type { WorkspaceId } from '../../../contract/ids.ts';
import { compare } from '../../sorted-by.ts';
import type { GraphPorts } from '../../traversal/graph-view.ts';
import { type ScannedNode, type ScanPosition, scanGraph } from '../../traversal/scan-graph.ts';

/** A relation at two moments; null where no edge leads to it at that one. */
type NodeAtTimes = {
  readonly before: ScannedNode | null;
  readonly after: ScannedNode | null;
  /** Where a scan goes on after it. */
  readonly next: ScanPosition;
};

/** Scans two moments of the graph side by side: both come in the same order of relations. */
export async function* scanTimes(
  ports: GraphPorts,
  workspace: WorkspaceId,
  { from, to, start }: { readonly from: string; readonly to: string; readonly start: ScanPosition },
): AsyncGenerator<NodeAtTimes> {
  const scanAt = (asOf: string) => scanGraph(ports, workspace, { asOf, from: start });
  const [olds, nows] = [scanAt(from), scanAt(to)];
  let [old, now] = await Promise.all([olds.next(), nows.next()]);
  while (!old.done || !now.done) {
    const [before, after] = [old.done ? null : old.value, now.done ? null : now.value];
    const order = before && after ? compared(before.after, after.after) : before ? -1 : 1;
    const [takeOld, takeNow] = [order <= 0 ? before : null, order >= 0 ? after : null];
    const next = (takeOld ?? takeNow)?.after;
    if (next) yield { before: takeOld, after: takeNow, next };
    if (takeOld) old = await olds.next();
    if (takeNow) now = await nows.next();
  }
}

function compared(a: ScanPosition, b: ScanPosition): number {
  if (a.shard !== b.shard) return compare(a.shard, b.shard);
  return compare(a.node ?? '', b.node ?? '');
}
