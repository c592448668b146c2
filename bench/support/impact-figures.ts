import * as v from 'valibot';
import type { impactImplementations } from '../../functions/queries/impact.ts';
import { impactRoutes } from '../../shared/contract/explain.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { cpuMs, quantile, rounded } from './figures.ts';

type Asked = Pick<ReturnType<typeof impactImplementations>, 'getImpact'> & {
  readonly workspace: WorkspaceId;
  readonly connector: ConnectorId;
};
export type ImpactQuestion = { readonly relation_ref: string; readonly direction: string };
type Answered = { readonly ms: number; readonly nodes: number; readonly units: number; readonly requests: number };

/** Asks this many questions for impact, of 500 relations at most, one after the other. */
export async function askImpacts(asked: Asked, count: number, questionOf: (i: number) => ImpactQuestion) {
  const answers: Answered[] = [];
  const cpu = cpuMs();
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const { upstream, downstream, cost } = await impact(asked, questionOf(i));
    const ms = performance.now() - began;
    answers.push({ ms, nodes: upstream.length + downstream.length, units: cost.read_units, requests: cost.requests });
  }
  return { answers, client_cpu_ms: rounded((cpuMs() - cpu) / count), p50_ms: figureOf(answers, 'ms', 0.5) };
}

export const impactFigures = (answers: readonly Answered[]) => ({
  nodes_p50: figureOf(answers, 'nodes', 0.5),
  p50_ms: figureOf(answers, 'ms', 0.5),
  p95_ms: figureOf(answers, 'ms', 0.95),
  read_units_p50: figureOf(answers, 'units', 0.5),
  read_units_max: figureOf(answers, 'units', 1),
  requests_p50: figureOf(answers, 'requests', 0.5),
});

function figureOf(answers: readonly Answered[], name: keyof Answered, share: number): number {
  const values = answers.map((one) => one[name]);
  return rounded(quantile(values, share));
}

async function impact({ workspace, connector, getImpact }: Asked, question: ImpactQuestion) {
  const raw = { workspace_id: workspace, connector_id: connector, max_nodes: '500', ...question };
  const query = v.parse(impactRoutes.getImpact.query, raw);
  return getImpact({ workspace, query, now: new Date() } as unknown as Parameters<typeof getImpact>[0]);
}
