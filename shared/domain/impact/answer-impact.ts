import type { ImpactAnswer } from '../../contract/impact.ts';
import type { Connector } from '../lineage/connector.ts';
import type { Metering } from '../metering.ts';
import { askImpact, type ImpactPorts } from './ask.ts';
import { type CoveragePorts, coverageOf } from './coverage.ts';
import type { ImpactQuestion } from './question.ts';

export type AnswerPorts = Omit<CoveragePorts, 'now'> & { readonly metering: Metering };

/** The whole answer but its cost: the walks, and what their evidence comes from. */
export async function answerImpact(
  ports: ImpactPorts & CoveragePorts,
  connector: Connector,
  question: ImpactQuestion,
): Promise<Omit<ImpactAnswer, 'cost'>> {
  const [answer, coverage] = await Promise.all([
    askImpact(ports, connector, question),
    coverageOf(ports, question.workspace, connector.id, question.asOf),
  ]);
  return { ...answer, coverage };
}
