import type { ConnectorId } from '../../../contract/ids.ts';
import type { OpenGraph } from '../generations/graph-record.ts';
import type { RelationDirectory } from '../graph/name-parts.ts';
import type { Connector } from '../names/connector.ts';
import type { Policy } from '../policy/policy.ts';
import type { EvaluationPorts } from './evaluate.ts';
import type { GraphPorts } from './graph-view.ts';

/** The graph that a question is about, and what holds for all of the question. */
export type QuestionContext = OpenGraph & {
  /** The workspace's connectors, and the policies that hold now. */
  readonly connectors: ReadonlyMap<ConnectorId, Connector>;
  readonly policies: ReadonlyMap<ConnectorId, Policy>;
  readonly now: string;
};

/** What questions about the graph are answered with. */
export type TraversalPorts = GraphPorts &
  QuestionContext & {
    readonly details: EvaluationPorts['details'];
    readonly overlay?: NonNullable<EvaluationPorts['overlay']>;
    readonly isSpent?: NonNullable<EvaluationPorts['isSpent']>;
    readonly directory: Pick<RelationDirectory, 'named' | 'any'>;
  };
