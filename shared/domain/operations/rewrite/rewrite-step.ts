import type { WorkspaceId } from '../../../contract/ids.ts';
import type { RewriteNames } from '../../../contract/messages.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import {
  type GraphRecord,
  type GraphRecords,
  type Rewrite,
  type RewriteQueue,
  rewriteMessage,
} from '../../lineage/generations/graph-record.ts';
import { graphOf } from '../../lineage/graph/node.ts';
import type { DeliveryStore, PayloadStore } from '../../lineage/ingest/deliveries/ports.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import type { GraphWriters } from '../../lineage/projection/ports.ts';
import { isInGraph, oldestFirst, replayContext, replayDelivery } from '../rebuild/replay.ts';

export type RewritePorts = {
  readonly graphs: Pick<GraphRecords, 'find' | 'advance'>;
  /** With their settings as they are recorded: those that the new graph is made by. */
  readonly connectors: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  readonly deliveries: Pick<DeliveryStore, 'list' | 'get' | 'placeIn'>;
  readonly payloads: Pick<PayloadStore, 'stream'>;
  readonly content: GraphWriters;
  readonly queue: RewriteQueue;
  readonly removeGraph: (workspace: WorkspaceId, generation: number) => Promise<void>;
  readonly clock: Clock;
};

const minuteMs = 60_000;
const stepMs = 4 * minuteMs;
/** A step that has taken longer was lost. */
const lostAfterMs = 10 * minuteMs;
/** A question that was begun on a graph has its answer by then and a worker has ended, whose clock may be another. */
const expiryMs = 60 * minuteMs;
/** A delivery may be in the list a while after its receipt. */
const listedWithinMs = 60 * minuteMs;

const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** Takes the step of a rewrite that the message asks for, and asks for the next; nothing if it was taken before. */
export async function rewriteStep(ports: RewritePorts, message: RewriteNames): Promise<void> {
  const found = await ports.graphs.find(message.workspace_id);
  if (!found || found.record.changes !== message.changes || found.record.step !== message.step) return;
  const { record } = found;
  const stepped = record.rewrite ? await continued(ports, record, record.rewrite) : await cleared(ports, record);
  const to = { ...stepped, step: record.step + 1 };
  if ((await ports.graphs.advance(found, to)) && isDueAtOnce(to)) await ports.queue.send(rewriteMessage(to));
}

/** The closing pass is begun by the sweep, like what follows it. */
const isDueAtOnce = ({ rewrite }: GraphRecord): boolean =>
  rewrite !== null && (rewrite.state !== 'closing' || rewrite.after !== null);

async function continued(ports: RewritePorts, record: GraphRecord, rewrite: Rewrite): Promise<GraphRecord> {
  const { after, replayed, atEnd } = await pass(ports, record, rewrite);
  const now = ports.clock.now();
  const on = { ...record, rewrite: { ...rewrite, after, replayed }, due_at: later(now, lostAfterMs) };
  return atEnd ? nextPass(on, on.rewrite, now) : on;
}

/** Replays deliveries from where the pass has come to, until its end or the time of a step. */
async function pass(ports: RewritePorts, record: GraphRecord, { target, ...rewrite }: Rewrite) {
  const { workspace_id: workspace, changes } = record;
  const context = replayContext(graphOf(workspace, target), await ports.connectors(workspace));
  const until = ports.clock.now().getTime() + stepMs;
  let { after, replayed } = rewrite;
  for await (const listed of oldestFirst(ports, workspace, after)) {
    if (ports.clock.now().getTime() > until) return { after, replayed, atEnd: false };
    const { received_at, delivery_id } = listed;
    after = { received_at, delivery_id };
    if (listed.generation === target) continue;
    const delivery = await ports.deliveries.get(workspace, delivery_id);
    if (!delivery || !isInGraph(delivery) || delivery.generation === target) continue;
    // It may use a name that got its meaning after the connectors were read; the change of names goes on from here.
    if ((await ports.graphs.find(workspace))?.record.changes !== changes) return { after, replayed, atEnd: false };
    await replayDelivery(ports, ports.content, context, delivery);
    await ports.deliveries.placeIn(workspace, delivery_id, target);
    replayed++;
  }
  return { after, replayed, atEnd: true };
}

function nextPass(record: GraphRecord, rewrite: Rewrite, now: Date): GraphRecord {
  const fresh = { ...rewrite, began_at: now.toISOString(), after: null };
  switch (rewrite.state) {
    case 'replaying':
      return { ...record, rewrite: { ...fresh, state: 'catching_up' } };
    case 'catching_up': {
      const from = later(new Date(rewrite.began_at), -listedWithinMs);
      const after = { received_at: from, delivery_id: '' };
      return { ...record, rewrite: { ...fresh, state: 'switching', after } };
    }
    case 'switching':
      return {
        ...record,
        generation: rewrite.target,
        incomplete: false,
        held: {},
        obsolete: [...record.obsolete, record.generation],
        rewrite: { ...fresh, state: 'following' },
      };
    case 'following':
      return { ...record, rewrite: { ...fresh, state: 'closing' }, due_at: later(now, expiryMs) };
    case 'closing':
      return { ...record, rewrite: null, due_at: now.toISOString() };
  }
}

/** Removes the graphs that answer no longer, one a step. */
async function cleared(ports: RewritePorts, record: GraphRecord): Promise<GraphRecord> {
  const [generation, ...obsolete] = record.obsolete;
  if (generation !== undefined) await ports.removeGraph(record.workspace_id, generation);
  return { ...record, obsolete, due_at: obsolete.length > 0 ? ports.clock.now().toISOString() : null };
}
