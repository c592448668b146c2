import type { ConnectorId } from '../../../contract/ids.ts';
import type { RecountPolicy } from '../../../contract/messages.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import { type RecountQueue, type RecountStore, recountMessage } from '../../lineage/policy/ports.ts';
import type { Recount } from '../../lineage/policy/recount.ts';
import { dueAfterStep } from '../../lineage/policy/set-policy.ts';
import { edgeEvaluator, followed } from '../../lineage/traversal/evaluate.ts';
import { touches } from '../../lineage/traversal/expansion.ts';
import type { GraphQuery } from '../../lineage/traversal/graph-view.ts';
import { type GraphSettings, openGraph } from '../../lineage/traversal/open-graph.ts';
import { type ScannedNode, scanGraph } from '../../lineage/traversal/scan-graph.ts';

export type RecountPorts = GraphQuery['reader'] &
  GraphSettings & {
    readonly recounts: Pick<RecountStore, 'get' | 'advance'>;
    readonly queue: RecountQueue;
    readonly clock: Clock;
  };

/** A step ends after this many relations or pieces of evidence, so that it ends long before its worker's time does. */
const stepSize = { relations: 500, evidence: 5_000 };

/** Takes the requested step and asks for the next. Does nothing if it was taken, or a newer revision has begun. */
export async function recountStep(ports: RecountPorts, message: RecountPolicy, size = stepSize): Promise<void> {
  const { workspace_id: workspace, connector_id, revision, step } = message;
  const from = await ports.recounts.get(workspace, connector_id);
  if (!from || from.state === 'done' || from.revision !== revision || from.step !== step) return;
  const to = await recounted(ports, from, size);
  const done = to.state === 'done';
  const advanced = await ports.recounts.advance(from, to, done ? null : dueAfterStep(ports.clock.now()));
  if (advanced && !done) await ports.queue.send(recountMessage(to));
}

async function recounted(ports: RecountPorts, from: Recount, size: typeof stepSize): Promise<Recount> {
  const query = await openGraph(ports, from.workspace_id, ports.clock.now());
  const counts = { relations: 0, checked: 0, admitted: 0, suppressed: 0 };
  for await (const scanned of scanGraph(query, { asOf: null, from })) {
    counts.relations++;
    for (const disposition of await dispositionsOf(from.connector_id, scanned)) {
      counts.checked++;
      if (disposition === 'admitted') counts.admitted++;
      if (disposition.startsWith('policy:')) counts.suppressed++;
    }
    if (counts.relations >= size.relations || counts.checked >= size.evidence) {
      return progressed(ports, from, counts, { state: 'running', ...scanned.after });
    }
  }
  return progressed(ports, from, counts, { state: 'done', shard: from.shard, node: from.node });
}

async function dispositionsOf(connector: ConnectorId, { edges, view }: ScannedNode<GraphQuery>) {
  const touching = edges.filter((edge) => touches(edge, connector));
  const everything = { asOf: null, includeStale: true, minConfidence: 0, withDetails: false };
  const evaluated = followed(await edgeEvaluator(view, everything).evaluate('in', touching));
  return evaluated.flatMap(({ evidence }) => evidence.map(({ disposition }) => disposition));
}

function progressed(
  { clock }: RecountPorts,
  from: Recount,
  counts: { readonly checked: number; readonly admitted: number; readonly suppressed: number },
  place: Pick<Recount, 'state' | 'shard' | 'node'>,
): Recount {
  const checked = from.evidence_checked + counts.checked;
  return {
    ...from,
    ...place,
    step: from.step + 1,
    evidence_total: place.state === 'done' ? checked : Math.max(from.evidence_total, checked),
    evidence_checked: checked,
    admitted: from.admitted + counts.admitted,
    suppressed: from.suppressed + counts.suppressed,
    updated_at: clock.now().toISOString(),
  };
}
