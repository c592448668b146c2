import type { EvidenceScope, scopeKindNames } from '../../../contract/scopes.ts';
import type { OpenGraph } from '../../lineage/generations/graph-record.ts';
import type { ScopeKind } from '../../lineage/graph/claim.ts';
import { urnOf } from '../../lineage/graph/node.ts';
import {
  forgettingAt,
  isForgottenObservation,
  isForgottenOrder,
  isoOfMicros,
  type Micros,
  microsOfOrder,
  type Order,
} from '../../lineage/graph/order.ts';
import type { RecordedOrder, ScopeHead, ScopeStore } from '../../lineage/graph/scope-store.ts';
import { edgeName } from '../../lineage/projection/edges.ts';
import { listedEdges } from '../../lineage/projection/listing.ts';
import { asRegistered } from '../../lineage/providers/feed.ts';
import { runOf } from '../../lineage/sources/openlineage/run.ts';
import type { RunStore } from '../../lineage/sources/openlineage/run-store.ts';

export type ScopeReader = {
  readonly scopes: Pick<ScopeStore, 'orders'>;
  readonly runs: Pick<RunStore, 'otherRuns'>;
};

type Counts = Pick<EvidenceScope, 'last_observed_at' | 'edges' | 'relations' | 'runs' | 'counts_at_least'>;

const kindNames: Readonly<Record<ScopeKind, (typeof scopeKindNames)[number]>> = {
  snapshot: 'snapshots',
  static: 'design',
  observed: 'runs',
};

/** What counts of a scope now, reading at most `mostRuns` runs of a job. */
export async function describeScope(
  ports: ScopeReader,
  { graph, forgotten, feeds }: OpenGraph,
  head: ScopeHead,
  mostRuns: number,
): Promise<EvidenceScope> {
  const { scope, scopeKey, kind, providerType, providerInstanceId } = asRegistered(feeds, head);
  const forgetting = forgettingAt(forgotten, scope, null);
  const until = forgetting?.order ?? null;
  const counts =
    kind === 'observed'
      ? await countRuns(ports, { graph, head, until }, mostRuns)
      : countStated(head, await ports.scopes.orders(graph, scope, head.listed), until);
  return {
    scope_key: scopeKey,
    kind: kindNames[kind],
    provider_type: providerType,
    provider_instance_id: providerInstanceId,
    ...counts,
    forgotten_at: forgetting?.at ?? null,
  };
}

/** What the newest complete order and the partial ones since then state. */
function countStated(head: ScopeHead, orders: readonly RecordedOrder[], until: Order | null): Counts {
  const isRemembered = ({ order }: RecordedOrder) => !isForgottenOrder(until, { order, current: head.order });
  const stating = orders.filter(
    (one) => (one.order === head.listed || (!one.complete && one.order > head.order)) && isRemembered(one),
  );
  const edges = new Set(stating.flatMap(({ listing }) => listedEdges(listing)).map(({ from, to }) => `${from}${to}`));
  const last = stating.at(-1);
  return {
    last_observed_at: last === undefined ? null : timeOf(head, last),
    edges: edges.size,
    relations: new Set(stating.flatMap(({ listing }) => listing.nodes)).size,
    runs: null,
    counts_at_least: false,
  };
}

function timeOf({ kind, listed, committedAt }: ScopeHead, { order, at }: RecordedOrder): string {
  if (kind === 'static') return isoOfMicros(microsOfOrder(order));
  return order === listed ? (committedAt ?? at) : at;
}

type JobScope = Pick<OpenGraph, 'graph'> & { readonly head: ScopeHead; readonly until: Order | null };

/** What runs observed: those that are kept, for observations outlive them. */
async function countRuns({ runs }: ScopeReader, { graph, head, until }: JobScope, mostRuns: number): Promise<Counts> {
  const [edges, relations] = [new Set<string>(), new Set<string>()];
  let [counted, read]: [number, number] = [0, 0];
  let last: Micros | null = null;
  for await (const { records } of runs.otherRuns(graph, head.scope, '')) {
    if (++read > mostRuns) break;
    const { observed, derivations } = runOf(records, '');
    if (!observed || isForgottenObservation(until, observed.last)) continue;
    counted++;
    if (last === null || observed.last > last) last = observed.last;
    for (const { output, inputs } of derivations)
      for (const input of inputs) {
        edges.add(edgeName({ from: urnOf(input), to: urnOf(output) }));
        relations.add(urnOf(input)).add(urnOf(output));
      }
  }
  return {
    last_observed_at: last === null ? null : isoOfMicros(last),
    edges: edges.size,
    relations: relations.size,
    runs: counted,
    // A feed's statements about columns are no runs of a job.
    counts_at_least: read > mostRuns || head.scopeKey.endsWith(':schemas'),
  };
}
