import * as v from 'valibot';
import type { impactImplementations } from '../../functions/queries/impact.ts';
import { impactRoutes } from '../../shared/contract/explain.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { quantile } from './quantile.ts';

type RecordedQuery = Pick<ReturnType<typeof impactImplementations>, 'getImpact'> & {
  readonly workspace: WorkspaceId;
  readonly connector: ConnectorId;
};
type Questions = { readonly direction: string; readonly count: number; readonly refOfNext: () => string };

/** What this many questions for impact, of 500 relations at most, take: times in ms, read units, requests. */
export async function impactFigures(request: RecordedQuery, { direction, count, refOfNext }: Questions) {
  const [times, nodes, units, requests]: [number[], number[], number[], number[]] = [[], [], [], []];
  const cpu = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const { upstream, downstream, cost } = await impact(request, refOfNext(), direction);
    times.push(performance.now() - began);
    nodes.push(upstream.length + downstream.length);
    units.push(cost.read_units);
    requests.push(cost.requests);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    nodes_p50: quantile(nodes, 0.5),
    p50_ms: rounded(quantile(times, 0.5)),
    p95_ms: rounded(quantile(times, 0.95)),
    client_cpu_ms: rounded((user + system) / 1_000 / times.length),
    read_units_p50: quantile(units, 0.5),
    requests_p50: quantile(requests, 0.5),
  };
}

async function impact({ workspace, connector, getImpact }: RecordedQuery, relation_ref: string, direction: string) {
  const raw = { workspace_id: workspace, connector_id: connector, relation_ref, direction, max_nodes: '500' };
  const query = v.parse(impactRoutes.getImpact.query, raw);
  const reply = await getImpact({ workspace, query, now: new Date() } as unknown as Parameters<typeof getImpact>[0]);
  if (reply.status !== 200 || !('body' in reply)) throw new Error('no answer');
  return reply.body;
}

const rounded = (value: number) => Number(value.toFixed(1));
