import type { ImpactAnswer } from '../../contract/impact.ts';
import type { EdgeColumn } from '../graph/ports.ts';
import { nodeOf, relationRefOf, type Urn } from '../lineage/node.ts';
import { sortedBy } from '../sorted-by.ts';
import type { Evidence, JudgedEdge } from './evidence.ts';
import type { ImpactQuestion } from './question.ts';
import type { Reached, Walked } from './walk.ts';

export type Walks = { readonly upstream: Walked; readonly downstream: Walked };

const refOf = (urn: Urn) => relationRefOf(nodeOf(urn));
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The parts of an answer that follow from the walks: decisions 7. The same walks give the same answer. */
export function answerParts(question: ImpactQuestion, walks: Walks) {
  const both = [walks.upstream, walks.downstream];
  const [upstream, downstream] = [items(walks.upstream), items(walks.downstream)];
  const edges = uniqueEdges(both);
  const cut = { by_depth: both.some((one) => one.cutByDepth), by_nodes: both.some((one) => one.cutByNodes) };
  return {
    upstream,
    downstream,
    edges: edges.map(({ edge, mappings }) => edgeOf(edge, mappings)),
    truncated: {
      any: cut.by_depth || cut.by_nodes,
      ...cut,
      unexplored: both.reduce((sum, one) => sum + one.unexplored, 0),
    },
    limits: { max_depth: question.maxDepth, max_nodes: question.maxNodes },
    blast_radius: blastRadius([...walks.upstream.reached.values(), ...walks.downstream.reached.values()], edges),
    precision: precision(question, both),
    column_lineage: columnLineage(question, edges, both),
  } satisfies Partial<ImpactAnswer>;
}

function items({ reached }: Walked): ImpactAnswer['upstream'] {
  const found = [...reached.values()].map(({ urn, depth, columns, via, confidence }) => ({
    relation_ref: refOf(urn),
    depth,
    kind: nodeOf(urn).kind,
    columns: [...columns.names.values()].sort(byText),
    via: [...via].sort(byText),
    confidence,
  }));
  return found.sort((a, b) => a.depth - b.depth || byText(a.relation_ref, b.relation_ref));
}

type ShownEdge = { readonly edge: JudgedEdge; readonly mappings: readonly EdgeColumn[] };

function uniqueEdges(walks: readonly Walked[]): ShownEdge[] {
  const found = new Map<string, ShownEdge>();
  for (const { edge, mappings } of walks.flatMap(({ edges }) => edges)) {
    const name = `${edge.refs.upstream} ${edge.refs.downstream} ${edge.upstream} ${edge.downstream}`;
    const before = found.get(name);
    found.set(name, before ? { edge, mappings: [...before.mappings, ...mappings] } : { edge, mappings });
  }
  return sortedBy([...found], ([name]) => name).map(([, shown]) => shown);
}

function edgeOf(edge: JudgedEdge, mappings: readonly EdgeColumn[]): ImpactAnswer['edges'][number] {
  const dispositions = edge.evidence.map(({ disposition }) => disposition).filter((one) => one !== 'admitted');
  return {
    ...edge.refs,
    status: edge.status,
    dispositions: [...new Set(dispositions)].sort(byText),
    confidence: edge.confidence,
    columns: sortedBy(
      mappings.map(({ inputColumn, outputColumn, type, subtype }) => ({
        upstream: inputColumn,
        downstream: outputColumn,
        type,
        subtype,
      })),
      (one) => `${one.downstream} ${one.upstream} ${one.type} ${one.subtype}`,
    ),
    evidence: edge.evidence.map(evidenceOf),
  };
}

function evidenceOf(one: Evidence): ImpactAnswer['edges'][number]['evidence'][number] {
  return {
    provider_type: one.providerType,
    provider_instance_id: one.providerInstanceId,
    scope_key: one.scopeKey,
    observed_at: one.observedAt,
    disposition: one.disposition,
    columns_unresolved_reason: one.detail?.unresolved[0]?.reason ?? null,
  };
}

function blastRadius(reached: readonly Reached[], edges: readonly ShownEdge[]): ImpactAnswer['blast_radius'] {
  const deepest = reached.reduce((depth, one) => Math.max(depth, one.depth), 0);
  const schemas: Record<string, number> = {};
  for (const { urn } of sortedBy(reached, ({ urn }) => refOf(urn))) {
    const schema = schemaOf(urn);
    schemas[schema] = (schemas[schema] ?? 0) + 1;
  }
  return {
    relations: reached.length,
    columns: reached.reduce((sum, { columns }) => sum + columns.names.size, 0),
    by_depth: Array.from({ length: deepest }, (_, i) => reached.filter(({ depth }) => depth === i + 1).length),
    by_schema: schemas,
    max_depth_reached: deepest,
    stale_edges: edges.filter(({ edge }) => edge.status === 'stale').length,
  };
}

/** All leading parts of a relation's name; the namespace of a dataset that no connector owns. */
function schemaOf(urn: Urn): string {
  const node = nodeOf(urn);
  if (node.kind === 'dataset') return node.namespace;
  const ref = relationRefOf(node);
  const last = ref.lastIndexOf('.');
  return last < 0 ? '' : ref.slice(0, last);
}

function precision(question: ImpactQuestion, walks: readonly Walked[]): ImpactAnswer['precision'] {
  if (question.columns.length === 0) return { requested: 'table', delivered: 'table', reasons: [] };
  const reasons = new Map(
    walks.flatMap(({ reasons }) =>
      reasons.map(({ urn, reason }) => [`${refOf(urn)} ${reason}`, { relation_ref: refOf(urn), reason }] as const),
    ),
  );
  const [reached, byTable] = [
    walks.reduce((sum, one) => sum + one.reached.size, 0),
    walks.reduce((sum, one) => sum + one.byTable, 0),
  ];
  return {
    requested: 'column',
    delivered: reasons.size === 0 ? 'column' : byTable === reached ? 'table' : 'mixed',
    reasons: [...reasons].sort(([a], [b]) => byText(a, b)).map(([, one]) => one),
  };
}

function columnLineage(
  question: ImpactQuestion,
  edges: readonly ShownEdge[],
  walks: readonly Walked[],
): ImpactAnswer['column_lineage'] {
  const paths = edges.flatMap(({ edge, mappings }) =>
    mappings.map(({ inputColumn, outputColumn, type, subtype }) => ({
      upstream: { relation_ref: edge.refs.upstream, column: inputColumn },
      downstream: { relation_ref: edge.refs.downstream, column: outputColumn },
      type,
      subtype,
    })),
  );
  const unresolved = walks.flatMap(({ reasons }) =>
    reasons.map(({ urn, column, reason }) => ({ relation_ref: refOf(urn), column, reason })),
  );
  return {
    roots: [...question.columns],
    paths: sortedBy(paths, (one) => JSON.stringify(one)),
    unresolved: sortedBy(unresolved, (one) => JSON.stringify(one)),
  };
}
