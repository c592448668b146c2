import type { ImpactAnswer } from '../../../contract/impact.ts';
import type { Connector } from '../../identity/connector.ts';
import { answeredWhole } from '../../traversal/answered-whole.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import type { Metering } from '../metering.ts';
import type { NearestPorts } from '../relations/nearest-relations.ts';
import { askImpact } from './ask.ts';
import { type CoveragePorts, coverageOf } from './coverage.ts';
import { cutAnswer } from './cut-answer.ts';
import type { ImpactQuestion } from './question.ts';

export type AnswerPorts = Omit<CoveragePorts, 'now' | 'forgotten'> & NearestPorts & { readonly metering: Metering };

/** The whole answer but its cost: the traversals, and what their evidence comes from. */
export async function answerImpact(
  ports: TraversalPorts & CoveragePorts & NearestPorts,
  connector: Connector,
  question: ImpactQuestion,
): Promise<Omit<ImpactAnswer, 'cost'>> {
  const [{ suppressed, ...answer }, coverage] = await Promise.all([
    answeredWhole(ports, question.workspace, (still) => askImpact(still, connector, question)),
    coverageOf(ports, question.workspace, connector.id, question.asOf),
  ]);
  return cutAnswer({ ...answer, coverage: { ...coverage, suppressed } });
}
