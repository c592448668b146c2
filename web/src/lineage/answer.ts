import type { Verdict } from '../../../shared/contract/vocabulary.ts';
import type { paths } from '../api/generated/service.ts';
import { reachedFrom } from './reach.ts';

export const sides = ['upstream', 'downstream'] as const;
export type Side = (typeof sides)[number];

/** Not by way of the client, which needs a document: a test runs this file without one. */
type Impact = paths['/v1/lineage/impact']['get']['responses'][200]['content']['application/json'];
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
  /** Those that the answer names. */
  readonly owners: readonly string[];
  readonly status: 'active' | 'stale';
  /** Of the edges that lead to it from the root's side. */
  readonly verdict: Verdict | null;
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
  /** The rows and edges before those of other verdicts were left out. */
  readonly all: { readonly rows: readonly Row[]; readonly edges: readonly EdgeOfAnswer[] };
  readonly answers: readonly Impact[];
};

/** An edge of several verdicts, or several edges as one line: the first of these that any has, as it needs attention most. */
const byAttention = ['contradicted', 'observed_only', 'declared_only', 'confirmed'] as const satisfies Verdict[];

export const verdictOf = (edges: readonly { readonly verdict: Verdict | null }[]): Verdict | null =>
  byAttention.find((one) => edges.some(({ verdict }) => verdict === one)) ?? null;

/** Whether runs of the model that declares any of these edges did without it. */
export const isDoubted = (edges: readonly { readonly verdict_reason: string | null }[]): boolean =>
  edges.some(({ verdict_reason }) => verdict_reason === 'never_observed');

/** An answer about a neighbour that was expanded, in one direction. */
type Expansion = { readonly relation: string; readonly side: Side; readonly answer: Impact };

type Choice = { readonly hide: readonly string[]; readonly verdict: readonly Verdict[] };

/** Joins the answer about the root with those about what was expanded, and leaves out what was hidden or is of another verdict. */
export function visibleAnswer(answer: Impact, expansions: readonly Expansion[], { hide, verdict }: Choice): Shown {
  const root = answer.root.relation_ref;
  const answers = [answer, ...expansions.map((one) => one.answer)];
  const known = [...new Map(answers.flatMap((one) => one.edges).map((edge) => [keyOf(edge), edge])).values()];
  const found = rowsOf(answer, expansions, known);
  const retained = connected(root, known, new Set(hide));
  // What only stale edges reach is no row: the claim counts it.
  const listed = new Set([root, ...found.map(({ relation }) => relation)]);
  const isKept = (relation: string) => listed.has(relation) && (hide.length === 0 || retained.has(relation));
  const all = {
    rows: found.filter(({ relation }) => isKept(relation)),
    edges: known.filter(({ upstream, downstream }) => isKept(upstream) && isKept(downstream)),
  };
  const { rows, edges } = verdict.length === 0 ? all : ofVerdicts(all, verdict);
  const drawn = new Set(edges.map(keyOf));
  return {
    root,
    rows,
    edges,
    paths: pathsOf(answers).filter(
      ({ upstream: { relation_ref: upstream }, downstream: { relation_ref: downstream } }) =>
        verdict.length === 0 ? isKept(upstream) && isKept(downstream) : drawn.has(keyOf({ upstream, downstream })),
    ),
    hidden:
      new Set(found.map(({ relation }) => relation)).size - new Set(all.rows.map(({ relation }) => relation)).size,
    all,
    answers,
  };
}

/** The edges with one of these verdicts, and the relations at their ends (C-VERDICT-5). */
function ofVerdicts({ rows, edges }: Shown['all'], verdicts: readonly Verdict[]): Shown['all'] {
  const own = edges.filter(({ verdict }) => verdict !== null && verdicts.includes(verdict));
  const ends = new Set(own.flatMap(({ upstream, downstream }) => [upstream, downstream]));
  return { rows: rows.filter(({ relation }) => ends.has(relation)), edges: own };
}

const keyOf = ({ upstream, downstream }: { readonly upstream: string; readonly downstream: string }): string =>
  `${upstream}\n${downstream}`;

function rowsOf(answer: Impact, expansions: readonly Expansion[], edges: readonly EdgeOfAnswer[]): Row[] {
  const rows = new Map<string, Row>();
  const edgesAt = {
    upstream: Map.groupBy(edges, ({ upstream }) => upstream),
    downstream: Map.groupBy(edges, ({ downstream }) => downstream),
  };
  const add = (item: Impact['upstream'][number], direction: Side, from: number, isRequested: boolean) => {
    const key = `${direction} ${item.relation_ref}`;
    if (rows.has(key) || item.relation_ref === answer.root.relation_ref) return;
    /** The edges that lead to it from the root's side. */
    const own = edgesAt[direction].get(item.relation_ref) ?? [];
    rows.set(key, {
      relation: item.relation_ref,
      connector: item.connector_id,
      kind: item.kind,
      direction,
      depth: from + item.depth,
      columns: item.columns,
      sources: item.via,
      confidence: item.confidence,
      owners: item.exposure?.owners ?? item.owners ?? [],
      // Without an edge, as in an answer that was cut short, nothing says that it is stale.
      status: own.length > 0 && own.every(({ status }) => status === 'stale') ? 'stale' : 'active',
      verdict: verdictOf(own),
      isAsked: isRequested,
    });
  };
  for (const side of sides) for (const item of answer[side]) add(item, side, 0, true);
  for (const { relation, side, answer: more } of expansions) {
    const from = rows.get(`${side} ${relation}`)?.depth ?? 0;
    for (const item of more[side]) add(item, side, from, false);
  }
  return [...rows.values()].toSorted(
    (a, b) =>
      a.direction.localeCompare(b.direction) * -1 ||
      a.depth - b.depth ||
      (a.relation < b.relation ? -1 : a.relation > b.relation ? 1 : 0),
  );
}

/** What hangs on the root by edges of either direction, without what was hidden. */
function connected(root: string, edges: readonly EdgeOfAnswer[], hide: ReadonlySet<string>): Set<string> {
  const ends = edges.flatMap(({ upstream, downstream }) => [
    { one: upstream, other: downstream },
    { one: downstream, other: upstream },
  ]);
  const beside = Map.groupBy(ends, ({ one }) => one);
  return reachedFrom(root, (relation) =>
    (beside.get(relation) ?? []).map(({ other }) => other).filter((other) => !hide.has(other)),
  );
}

/** The mappings between columns; of one in several answers that of the last. */
const pathsOf = (answers: readonly Impact[]): ColumnPath[] => {
  const paths = answers.flatMap(({ column_lineage }) => column_lineage.paths);
  return [...new Map(paths.map((path) => [JSON.stringify([path.upstream, path.downstream]), path])).values()];
};
