import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import type { ExposureFacts, ImpactAnswer } from '../../../../contract/impact.ts';
import { schemaOf as schemaInName } from '../../../../contract/layers.ts';
import type { Direction, Influence, Verdict } from '../../../../contract/vocabulary.ts';
import { compare, sortedBy } from '../../../base/collections.ts';
import { changeOf, type EdgeColumn } from '../../graph/derivation.ts';
import { type Node, nodeOf, ownerOf, refOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { notReported } from '../../traversal/columns.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import type { Evidence } from '../../traversal/evidence.ts';
import { shownVerdict, verdictCounts } from '../../traversal/judged-edges.ts';
import type { KnownRelation } from '../../traversal/known-columns.ts';
import { edgeKey, type ReachedRelation, type TraversedEdge } from '../../traversal/traversal-state.ts';
import type { TraversalResult } from '../../traversal/traverse.ts';
import { type EdgeVerdict, mappingVerdicts, noVerdict, type Verdicts, verdictOf } from '../../traversal/verdict.ts';
import { hiddenIn, staleOnly, suppressedCounts } from '../claim/hidden-edges.ts';

export type ImpactResults = { readonly upstream: TraversalResult; readonly downstream: TraversalResult };

/** The parts of an answer that follow only from the traversals (C-IMPACT-2 to C-IMPACT-10): the same results give the same answer. */
export function answerParts(question: ImpactQuestion, results: ImpactResults, known: Known) {
  const { columnsOf, verdicts } = known;
  const both = [results.upstream, results.downstream];
  const [upstream, downstream] = [items(results.upstream, known), items(results.downstream, known)];
  const edges = uniqueEdges(both);
  const hidden = hiddenIn(both);
  const shown = edges.map((one) => edgeOf(one, verdictOf(verdicts, one.edge)));
  const stale = hidden.filter(({ status }) => status === 'stale');
  const suppressed = suppressedCounts(hidden);
  const cut = {
    by_depth: both.some((one) => one.cutByDepth),
    by_nodes: both.some((one) => one.cutByNodes),
    by_requests: both.some((one) => one.cutByRequests),
  };
  return {
    upstream,
    downstream,
    exposures: exposuresByOwner(downstream),
    edges: inOrder([...shown, ...stale.map((edge) => edgeOf({ edge, mappings: [] }, noVerdict))]),
    summary: { verdicts: verdictCounts(shown) },
    truncated: {
      any: cut.by_depth || cut.by_nodes || cut.by_requests,
      ...cut,
      by_bytes: false,
      unexplored: both.reduce((sum, one) => sum + one.unexplored, 0),
    },
    limits: { max_depth: question.maxDepth, max_nodes: question.maxNodes },
    blast_radius: {
      ...blastRadius([...results.upstream.reached.values(), ...results.downstream.reached.values()], columnsOf),
      stale_edges: edges.filter(({ edge }) => edge.status === 'stale').length + stale.length,
    },
    precision: precision(question, both),
    column_lineage: columnLineage(question, shown, both),
    suppressed,
  };
}

/** The exposures among the items by tool and owner; what is not known comes last. */
export function exposuresByOwner(items: ImpactAnswer['downstream']): ImpactAnswer['exposures'] {
  const owned = items.flatMap(({ relation_ref, exposure }) => {
    const owners = exposure?.owners.length === 0 ? [null] : (exposure?.owners ?? []);
    return owners.map((owner) => ({ tool: exposure?.tool ?? null, owner, relation_ref }));
  });
  // As JSON a null comes after each text.
  const groups = Map.groupBy(owned, ({ tool, owner }) => JSON.stringify([tool, owner]));
  return sortedBy(groups, ([key]) => key).flatMap(([, members]) => {
    const relation_refs = members.map(({ relation_ref }) => relation_ref);
    return members.slice(0, 1).map(({ tool, owner }) => ({ tool, owner, relation_refs }));
  });
}

type Known = {
  readonly columnsOf: KnownNames;
  readonly facts: ReadonlyMap<Urn, ExposureFacts>;
  readonly verdicts: Verdicts;
};

function items({ reached }: TraversalResult, { columnsOf, facts }: Known): ImpactAnswer['upstream'] {
  const found = [...reached.values()].map((one) => ({ ...one, node: nodeOf(one.urn), ref: refOf(one.urn) }));
  const sorted = sortedBy(
    found,
    ({ depth }) => depth,
    ({ ref }) => ref,
    ({ node }) => node.kind,
    ({ urn }) => urn,
  );
  return sorted.map(({ urn, node, ref, depth, columns, via, confidence }) => ({
    relation_ref: ref,
    connector_id: ownerOf(node),
    depth,
    kind: node.kind,
    columns: affectedNames({ urn, columns }, columnsOf),
    via: [...via].sort(compare),
    confidence,
    ...factsOf(node, facts.get(urn)),
  }));
}

const factsOf = ({ kind }: Node, facts: ExposureFacts | undefined) =>
  kind === 'exposure'
    ? { exposure: facts ?? { tool: null, title: null, owners: [] } }
    : facts && facts.owners.length > 0 && { owners: facts.owners };

type ShownEdge = { readonly edge: EvaluatedEdge; readonly mappings: readonly EdgeColumn[] };

function uniqueEdges(results: readonly TraversalResult[]): ShownEdge[] {
  const found = new Map<string, TraversedEdge>();
  for (const { edges } of results) {
    for (const [key, one] of edges) {
      const known = found.get(key);
      found.set(key, known ? { ...one, mappings: new Map([...known.mappings, ...one.mappings]) } : one);
    }
  }
  const edges = [...found.values()].map(({ edge, mappings }) => ({ edge, mappings: [...mappings.values()] }));
  const ends = (['upstream', 'downstream'] as const).map((end) => (one: ShownEdge) => one.edge.refs[end]);
  return sortedBy(edges, ...ends, ({ edge }) => edgeKey(edge));
}

/** Those that were not followed are among the others: edges are in the order of their ends. */
const inOrder = (edges: ImpactAnswer['edges']): ImpactAnswer['edges'] =>
  sortedBy(
    edges,
    ({ upstream }) => upstream,
    ({ downstream }) => downstream,
  );

function edgeOf({ edge, mappings }: ShownEdge, verdict: EdgeVerdict): ImpactAnswer['edges'][number] {
  // Most edges of a question about relations have no mappings to judge.
  const verdictOfMapping = mappings.length > 0 ? mappingVerdicts(edge) : () => noVerdict;
  return {
    ...edge.refs,
    status: edge.status,
    dispositions: dispositionsOf(edge),
    confidence: edge.confidence,
    ...shownVerdict(verdict),
    columns: sortedBy(
      mappings.map((mapping) => ({
        upstream: mapping.inputColumn,
        downstream: mapping.outputColumn,
        ...transformationOf(mapping),
        ...shownVerdict(verdictOfMapping(mapping)),
      })),
      (one) => `${one.downstream} ${one.upstream} ${one.type} ${one.subtype}`,
    ),
    evidence: edge.evidence.map(evidenceOf),
  };
}

function dispositionsOf({ evidence }: EvaluatedEdge): ImpactAnswer['edges'][number]['dispositions'] {
  const others = evidence.filter(({ disposition }) => disposition !== 'admitted');
  return [...new Set(others.map(({ disposition }) => disposition))].sort(compare);
}

const transformationOf = (mapping: EdgeColumn) => ({
  type: mapping.type,
  subtype: mapping.subtype,
  ...(mapping.masking && { masking: true as const }),
  change: changeOf(mapping),
  expression: mapping.expression ?? null,
});

function evidenceOf(one: Evidence): ImpactAnswer['edges'][number]['evidence'][number] {
  return {
    provider_type: one.providerType,
    provider_instance_id: one.providerInstanceId,
    scope_key: one.scopeKey,
    observed_at: one.observedAt,
    disposition: one.disposition,
    columns_unresolved_reason: one.detail ? (one.detail.unresolved[0]?.reason ?? null) : notReported,
  };
}

function precision(question: ImpactQuestion, results: readonly TraversalResult[]): ImpactAnswer['precision'] {
  const stale = results.flatMap((one) =>
    staleOnly(one).map(({ urn, reason }) => ({ relation_ref: refOf(urn), reason })),
  );
  if (question.columns.length === 0) return { requested: 'table', delivered: 'table', reasons: stale };
  const reasons = reasonsIn(results, ({ urn, reason }) => ({ relation_ref: refOf(urn), reason }));
  const [reached, byTable] = [
    results.reduce((sum, one) => sum + one.reached.size, 0),
    results.reduce((sum, one) => sum + one.byTable.size, 0),
  ];
  return {
    requested: 'column',
    delivered: reasons.length === 0 ? 'column' : byTable === reached ? 'table' : 'mixed',
    reasons: [...reasons, ...stale],
  };
}

type Reason = TraversalResult['reasons'] extends ReadonlyMap<string, infer R> ? R : never;

/** The reasons of both directions, which begin at the same columns, each once. */
function reasonsIn<Shown>(results: readonly TraversalResult[], shownAs: (reason: Reason) => Shown): Shown[] {
  const all = results.flatMap(({ reasons }) => [...reasons.values()].map(shownAs));
  return sortedBy(new Map(all.map((one) => [JSON.stringify(one), one])), ([key]) => key).map(([, one]) => one);
}

function columnLineage(
  question: ImpactQuestion,
  edges: ImpactAnswer['edges'],
  results: readonly TraversalResult[],
): ImpactAnswer['column_lineage'] {
  return {
    roots: [...question.columns],
    paths: question.columns.length > 0 ? columnPaths(edges) : [],
    unresolved: reasonsIn(results, ({ urn, ...one }) => ({ relation_ref: refOf(urn), ...one })),
  };
}

/** What `GET /v1/lineage/impact` asks: C-IMPACT-1. */
export type ImpactQuestion = {
  readonly workspace: WorkspaceId;
  readonly connectorId: ConnectorId;
  readonly relationRef: string;
  readonly columns: readonly string[];
  readonly direction: Direction;
  readonly maxDepth: number;
  readonly maxNodes: number;
  /** A past time, or null for now. */
  readonly asOf: string | null;
  readonly includeStale: boolean;
  readonly minConfidence: number;
  /** Absent: all. */
  readonly influence?: Influence;
  /** Empty or absent: edges of any verdict, and of none. */
  readonly verdicts?: readonly Verdict[];
};

type Path = ImpactAnswer['column_lineage']['paths'][number];

/** The mappings of an answer's edges, each with the relations of its columns; what is alike stays in the edges' order. */
export const columnPaths = (edges: ImpactAnswer['edges']): Path[] =>
  sortedBy(
    edges.flatMap(({ upstream, downstream, columns }) =>
      columns.map(({ upstream: from, downstream: to, verdict: _, verdict_reason: __, ...transformation }) => ({
        upstream: { relation_ref: upstream, column: from },
        downstream: { relation_ref: downstream, column: to },
        ...transformation,
      })),
    ),
    (one) => one.upstream.relation_ref,
    (one) => one.upstream.column,
    (one) => one.downstream.relation_ref,
  );

/** How much is reached, by distance and by schema (C-IMPACT-10). */
function blastRadius(
  reached: readonly ReachedRelation[],
  columnsOf: KnownNames,
): Omit<ImpactAnswer['blast_radius'], 'stale_edges'> {
  const deepest = reached.reduce((depth, one) => Math.max(depth, one.depth), 0);
  const schemas = new Map<string, number>();
  for (const { urn } of reached) {
    const schema = schemaOf(urn);
    schemas.set(schema, (schemas.get(schema) ?? 0) + 1);
  }
  return {
    relations: reached.length,
    columns: reached.reduce((sum, one) => sum + affectedNames(one, columnsOf).filter((name) => name !== '*').length, 0),
    by_depth: Array.from({ length: deepest }, (_, i) => reached.filter(({ depth }) => depth === i + 1).length),
    by_schema: Object.fromEntries(sortedBy(schemas, ([schema]) => schema)),
    max_depth_reached: deepest,
  };
}

/** All leading parts of a relation's name; the namespace of a dataset that no connector owns. */
function schemaOf(urn: Urn): string {
  const node = nodeOf(urn);
  if (node.kind === 'dataset') return node.namespace;
  const ref = relationRefOf(node);
  if (node.kind === 'exposure') return schemaInName(ref);
  const last = ref.lastIndexOf('.');
  return last < 0 ? '' : ref.slice(0, last);
}

type KnownNames = (relation: Urn) => KnownRelation | null;

/** Of a relation all of whose columns are affected, all that are known, and `*` where none is (C-IMPACT-8). */
function affectedNames({ urn, columns }: Pick<ReachedRelation, 'urn' | 'columns'>, columnsOf: KnownNames): string[] {
  if (!columns.every) return [...columns.names.values()].sort(compare);
  const known = columnsOf(urn);
  const names = new Map([
    ...columns.names,
    ...[...(known?.columns ?? [])].map(([key, { name }]) => [key, name] as const),
  ]);
  return names.size === 0 ? ['*'] : [...names.values()].sort(compare);
}
