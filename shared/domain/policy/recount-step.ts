import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { RecountPolicy } from '../../contract/messages.ts';
import { type JudgePorts, judgeEdges } from '../impact/evidence.ts';
import type { GraphPorts } from '../impact/graph-view.ts';
import type { Connector } from '../lineage/connector.ts';
import { nodeOf, type Urn } from '../lineage/node.ts';
import { type ScannedNode, scanGraph } from '../scan/scan-graph.ts';
import type { Policy } from './policy.ts';
import { type RecountQueue, type RecountStore, recountMessage } from './ports.ts';
import type { Recount } from './recount.ts';
import { dueAfterStep } from './schedule.ts';

export type RecountPorts = GraphPorts & {
  readonly details: JudgePorts['details'];
  readonly recounts: Pick<RecountStore, 'get' | 'advance'>;
  readonly queue: RecountQueue;
  readonly connectors: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  readonly policiesOf: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
  readonly time: { readonly now: () => Date };
};

/** A step ends after so many relations or pieces of evidence, so that it ends long before its worker's time does. */
const stepSize = { relations: 500, evidence: 5_000 };

/**
 * Takes the step of a recount that the message asks for, and asks for the next. Does nothing where the step was taken
 * before, or a newer revision of the policy has begun its own recount.
 */
export async function recountStep(ports: RecountPorts, message: RecountPolicy, size = stepSize): Promise<void> {
  const { workspace_id: workspace, connector_id, revision, step } = message;
  const from = await ports.recounts.get(workspace, connector_id);
  if (!from || from.state === 'done' || from.revision !== revision || from.step !== step) return;
  const to = await recounted(ports, from, size);
  const done = to.state === 'done';
  const advanced = await ports.recounts.advance(from, to, done ? null : dueAfterStep(ports.time.now()));
  if (advanced && !done) await ports.queue.send(recountMessage(to));
}

async function recounted(ports: RecountPorts, from: Recount, size: typeof stepSize): Promise<Recount> {
  const workspace = from.workspace_id;
  const judging = await judgingPorts(ports, workspace);
  const tally = { relations: 0, checked: 0, admitted: 0, suppressed: 0 };
  for await (const scanned of scanGraph(ports, workspace, { asOf: null, from })) {
    tally.relations++;
    for (const disposition of await dispositionsOf(judging, workspace, from.connector_id, scanned)) {
      tally.checked++;
      if (disposition === 'admitted') tally.admitted++;
      if (disposition.startsWith('policy:')) tally.suppressed++;
    }
    if (tally.relations >= size.relations || tally.checked >= size.evidence) {
      return progressed(ports, from, tally, { state: 'running', ...scanned.after });
    }
  }
  return progressed(ports, from, tally, { state: 'done', shard: from.shard, node: from.node });
}

async function judgingPorts(ports: RecountPorts, workspace: WorkspaceId): Promise<JudgePorts> {
  const connectors = new Map((await ports.connectors(workspace)).map((one) => [one.id, one]));
  return {
    details: ports.details,
    connectors,
    policies: await ports.policiesOf(workspace, [...connectors.keys()]),
    now: ports.time.now().toISOString(),
  };
}

/** What becomes of each piece of evidence of the edges that touch the connector. */
async function dispositionsOf(
  judging: JudgePorts,
  workspace: WorkspaceId,
  connector: ConnectorId,
  { edges, view }: ScannedNode,
) {
  const touching = edges.filter(({ self, other }) => isOf(connector, self) || isOf(connector, other));
  const everything = { workspace, asOf: null, includeStale: true, minConfidence: 0, withDetails: false };
  const judged = await judgeEdges(judging, view, everything, 'in', touching);
  return judged.flatMap(({ evidence }) => evidence.map(({ disposition }) => disposition));
}

function isOf(connector: ConnectorId, urn: Urn): boolean {
  const node = nodeOf(urn);
  return 'connectorId' in node && node.connectorId === connector;
}

function progressed(
  { time }: RecountPorts,
  from: Recount,
  tally: { readonly checked: number; readonly admitted: number; readonly suppressed: number },
  place: Pick<Recount, 'state' | 'shard' | 'node'>,
): Recount {
  const checked = from.evidence_checked + tally.checked;
  return {
    ...from,
    ...place,
    step: from.step + 1,
    evidence_total: place.state === 'done' ? checked : Math.max(from.evidence_total, checked),
    evidence_checked: checked,
    admitted: from.admitted + tally.admitted,
    suppressed: from.suppressed + tally.suppressed,
    updated_at: time.now().toISOString(),
  };
}
