import type { Impact } from '../api/queries.ts';
import type { Side } from './address.ts';

export type EdgeOfAnswer = Impact['edges'][number];
export type ColumnPath = Impact['column_lineage']['paths'][number];

/** One relation of the answer on one side of the root: a row of the table, a line of the CSV. */
export type Row = {
  readonly relation: string;
  /** Null if no connector owns it. */
  readonly connector: string | null;
  readonly kind: string;
  readonly direction: Side;
  readonly depth: number;
  readonly columns: readonly string[];
  readonly sources: readonly string[];
  readonly confidence: number;
  readonly status: 'active' | 'stale';
  /** Whether it belongs to the answer itself, not to an expansion. */
  readonly isAsked: boolean;
};

/** The answer as it is shown: the picture, the table and the CSV only use this. */
export type Shown = {
  readonly root: string;
  readonly rows: readonly Row[];
  readonly edges: readonly EdgeOfAnswer[];
  readonly paths: readonly ColumnPath[];
  /** How many relations the person hid, with those that hang only on them. */
  readonly hidden: number;
  readonly answers: readonly Impact[];
};

/** An answer about a neighbour that was expanded, in one direction. */
type Expansion = { readonly relation: string; readonly side: Side; readonly answer: Impact };

/** Joins the answer about the root with those about what was expanded, and leaves out what was hidden. */
export function visibleAnswer(answer: Impact, expansions: readonly Expansion[], hide: readonly string[]): Shown {
  const root = answer.root.relation_ref;
  const answers = [answer, ...expansions.map((one) => one.answer)];
  const edges = [...new Map(answers.flatMap((one) => one.edges).map((edge) => [keyOf(edge), edge])).values()];
  const all = rowsOf(answer, expansions, edges);
  const retained = connected(root, edges, new Set(hide));
  // Without hidden relations nothing is unconnected: an answer may hold a relation whose edge is stale.
  const isKept = (relation: string) => hide.length === 0 || retained.has(relation);
  const rows = all.filter(({ relation }) => isKept(relation));
  return {
    root,
    rows,
    edges: edges.filter(({ upstream, downstream }) => isKept(upstream) && isKept(downstream)),
    paths: pathsOf(answers).filter(
      (path) => isKept(path.upstream.relation_ref) && isKept(path.downstream.relation_ref),
    ),
    hidden: new Set(all.map(({ relation }) => relation)).size - new Set(rows.map(({ relation }) => relation)).size,
    answers,
  };
}

const keyOf = ({ upstream, downstream }: { readonly upstream: string; readonly downstream: string }): string =>
  `${upstream}\n${downstream}`;

function rowsOf(answer: Impact, expansions: readonly Expansion[], edges: readonly EdgeOfAnswer[]): Row[] {
  const rows = new Map<string, Row>();
  const statusOf = staleness(edges);
  const add = (item: Impact['upstream'][number], direction: Side, from: number, isRequested: boolean) => {
    const key = `${direction} ${item.relation_ref}`;
    if (rows.has(key) || item.relation_ref === answer.root.relation_ref) return;
    rows.set(key, {
      relation: item.relation_ref,
      connector: item.connector_id,
      kind: item.kind,
      direction,
      depth: from + item.depth,
      columns: item.columns,
      sources: item.via,
      confidence: item.confidence,
      status: statusOf(item.relation_ref, direction),
      isAsked: isRequested,
    });
  };
  for (const side of ['upstream', 'downstream'] as const) for (const item of answer[side]) add(item, side, 0, true);
  for (const { relation, side, answer: more } of expansions) {
    const from = rows.get(`${side} ${relation}`)?.depth ?? 0;
    for (const item of more[side]) add(item, side, from, false);
  }
  const order = [...rows.values()];
  return order.toSorted(
    (a, b) =>
      a.direction.localeCompare(b.direction) * -1 ||
      a.depth - b.depth ||
      (a.relation < b.relation ? -1 : a.relation > b.relation ? 1 : 0),
  );
}

/** A relation is stale where every edge that leads to it from the root's side is. */
function staleness(edges: readonly EdgeOfAnswer[]): (relation: string, side: Side) => Row['status'] {
  const leading = {
    upstream: Map.groupBy(edges, ({ upstream }) => upstream),
    downstream: Map.groupBy(edges, ({ downstream }) => downstream),
  };
  return (relation, side) =>
    leading[side].get(relation)?.every(({ status }) => status === 'stale') ? 'stale' : 'active';
}

function connected(root: string, edges: readonly EdgeOfAnswer[], hide: ReadonlySet<string>): Set<string> {
  const beside = new Map<string, string[]>();
  for (const { upstream, downstream } of edges) {
    for (const [one, other] of [
      [upstream, downstream],
      [downstream, upstream],
    ] as const) {
      const known = beside.get(one);
      if (known) known.push(other);
      else beside.set(one, [other]);
    }
  }
  const reached = new Set([root]);
  for (const relation of reached) for (const next of beside.get(relation) ?? []) if (!hide.has(next)) reached.add(next);
  return reached;
}

function pathsOf(answers: readonly Impact[]): ColumnPath[] {
  const paths = new Map<string, ColumnPath>();
  for (const { column_lineage } of answers)
    for (const path of column_lineage.paths) paths.set(JSON.stringify([path.upstream, path.downstream]), path);
  return [...paths.values()];
}
