import type { ConnectorId } from '../../contract/ids.ts';
import type { ImpactAnswer } from '../../contract/impact.ts';
import type { RelationDirectory } from '../graph/ports.ts';
import type { Connector } from '../lineage/connector.ts';
import { nodeOf, relationRefOf, type Urn } from '../lineage/node.ts';
import type { Policy } from '../policy/policy.ts';
import { answerParts } from './answer.ts';
import { type Columns, columnsOf } from './columns.ts';
import type { JudgePorts } from './evidence.ts';
import { type GraphPorts, type GraphView, graphView } from './graph-view.ts';
import type { ImpactQuestion } from './question.ts';
import { resolveRoot } from './resolve-root.ts';
import { startWalk, type Walked } from './walk.ts';
import { walkInStep } from './walk-in-step.ts';

export type ImpactPorts = GraphPorts & {
  readonly details: JudgePorts['details'];
  readonly overlay?: NonNullable<JudgePorts['overlay']>;
  readonly directory: RelationDirectory;
  /** The workspace's connectors, and the policies that hold now. */
  readonly connectors: ReadonlyMap<ConnectorId, Connector>;
  readonly policies: ReadonlyMap<ConnectorId, Policy>;
  readonly now: string;
};

const nothing: Walked = {
  reached: new Map(),
  edges: [],
  reasons: [],
  byTable: 0,
  cutByDepth: false,
  cutByNodes: false,
  unexplored: 0,
};

/** What feeds a relation or column, and what a change of it may break: specification 4.4, decisions 7. */
export async function askImpact(
  ports: ImpactPorts,
  connector: Connector,
  question: ImpactQuestion,
): Promise<Omit<ImpactAnswer, 'coverage' | 'cost'>> {
  const view = graphView(ports, question.workspace, question.asOf);
  const root = await resolveRoot(ports, view, connector, question);
  const columns = question.columns.length > 0 ? columnsOf(question.columns) : null;
  const walks = root.urn
    ? await walkBoth(ports, view, question, root.urn, columns)
    : { upstream: nothing, downstream: nothing };
  const parts = answerParts(question, walks);
  return {
    workspace_id: question.workspace,
    connector_id: question.connectorId,
    graph_found: root.urn !== null || (await ports.directory.any(question.workspace, question.connectorId)),
    has_lineage: parts.edges.length > 0,
    root: { relation_ref: root.urn ? relationRefOf(nodeOf(root.urn)) : question.relationRef },
    ...parts,
    lineage_resolution: { method: root.method, fallback_reason: root.fallbackReason },
    as_of: question.asOf ?? ports.now,
  };
}

async function walkBoth(
  ports: JudgePorts,
  view: GraphView,
  question: ImpactQuestion,
  root: Urn,
  columns: Columns | null,
): Promise<{ upstream: Walked; downstream: Walked }> {
  const up = question.direction === 'downstream' ? null : startWalk(ports, view, question, 'in', root, columns);
  const down = question.direction === 'upstream' ? null : startWalk(ports, view, question, 'out', root, columns);
  await walkInStep(
    [up, down].filter((walk) => walk !== null),
    question,
  );
  return {
    upstream: up ? await up.result(!up.ended()) : nothing,
    downstream: down ? await down.result(!down.ended()) : nothing,
  };
}
