import type { DiffGrade } from '../../../../contract/diff.ts';
import type { ConnectorId, WorkspaceId } from '../../../../contract/ids.ts';
import { compare, sortedBy } from '../../../base/collections.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { type Columns, columnsOf, everyColumn } from '../../traversal/columns.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { TraversalPorts } from '../../traversal/ports.ts';
import type { ReachedRelation } from '../../traversal/traversal-state.ts';
import { type TraversalResult, traverse } from '../../traversal/traverse.ts';
import { type Overlay, provenOnly } from './branch.ts';

/** A relation that a change breaks, or may break. */
export type ImpactedRelation = {
  readonly urn: Urn;
  readonly depth: number;
  readonly columns: readonly string[];
  readonly via: readonly string[];
  readonly grade: Exclude<DiffGrade, 'safe'>;
};

export type ChangeImpact = { readonly impacted: readonly ImpactedRelation[]; readonly unexplored: number };

export type ChangeImpactQuestion = {
  readonly workspace: WorkspaceId;
  readonly connectorId: ConnectorId;
  readonly asOf: string | null;
  readonly maxDepth: number;
  readonly maxNodes: number;
};

export type ImpactFinder = {
  /** What breaks where a relation is gone: what reads it at once, and what it reaches by mappings all the way. */
  readonly ofRelation: (relation: Urn) => Promise<ChangeImpact>;
  /** What breaks where columns are gone: what they reach by mappings all the way; what only may read them is at risk. */
  readonly ofColumn: (relation: Urn, column: string) => Promise<ChangeImpact>;
  /** What is at risk where a column, or all of a relation (null), means something else. */
  readonly ofMeaning: (relation: Urn, column: string | null) => Promise<ChangeImpact>;
  /** What is at risk if a relation has other rows: everything downstream, whichever columns it reads. */
  readonly ofRows: (relation: Urn) => Promise<ChangeImpact>;
};

/** Traverses downstream over one view of the live graph, which still has what the change removes; `overlay` applies what the change adapts. */
export function impactFinder(
  ports: TraversalPorts,
  view: GraphView,
  question: ChangeImpactQuestion,
  overlay: Overlay,
): ImpactFinder {
  const possible = { ...ports, overlay };
  const proven = { ...ports, overlay: (edge: EvaluatedEdge) => proves(overlay(edge)) };
  const downstream = async (on: TraversalPorts, root: Urn, columns: Columns | null) => {
    const options = { ...question, root, columns, includeStale: false, minConfidence: 0 };
    return (await traverse(on, view, options, ['out'])).out;
  };
  return {
    ofRelation: async (relation) => {
      const reached = await downstream(possible, relation, null);
      const sure = await downstream(proven, relation, everyColumn);
      return changeImpact(reached, ({ urn, depth }) => depth === 1 || sure.reached.has(urn));
    },
    ofColumn: async (relation, column) => {
      const reached = await downstream(possible, relation, columnsOf([column]));
      const sure = await downstream(proven, relation, columnsOf([column]));
      const whole = await withWholes(reached, readersOf(sure, relation), (root) => downstream(possible, root, null));
      return changeImpact(whole, ({ urn }) => sure.reached.has(urn));
    },
    ofMeaning: async (relation, column) => {
      const columns = column === null ? everyColumn : columnsOf([column]);
      const found = await downstream(possible, relation, columns);
      return changeImpact(
        await withWholes(found, filteredBy(found), (root) => downstream(possible, root, null)),
        never,
      );
    },
    ofRows: async (relation) => changeImpact(await downstream(possible, relation, null), never),
  };
}

/** What reads a column by name. A statement that names a column that is gone fails, and makes none of its columns. */
const readersOf = ({ edges }: TraversalResult, relation: Urn): Urn[] =>
  [...edges.values()].flatMap(({ edge }) => (edge.upstream === relation ? [edge.downstream] : []));

/** Relations whose rows a column decides: what counts their rows reads no column of them. */
const filteredBy = ({ edges }: TraversalResult): Urn[] =>
  [...edges.values()].flatMap(({ edge, mappings }) =>
    [...mappings.values()].some(({ outputColumn }) => outputColumn === null) ? [edge.downstream] : [],
  );

/** Follows some of the relations that were found as a whole, whichever of their columns are read. */
async function withWholes(
  found: TraversalResult,
  wholes: readonly Urn[],
  rowsOf: (root: Urn) => Promise<TraversalResult>,
): Promise<Pick<TraversalResult, 'reached' | 'unexplored'>> {
  const reached = new Map(found.reached);
  let { unexplored } = found;
  const roots = sortedBy(
    [...new Set(wholes)],
    (urn) => found.reached.get(urn)?.depth ?? 0,
    (urn) => urn,
  );
  const covered = new Set<Urn>();
  for (const root of roots) {
    if (covered.has(root)) continue;
    const more = await rowsOf(root);
    const depth = found.reached.get(root)?.depth ?? 0;
    unexplored = Math.max(unexplored, more.unexplored);
    for (const [urn, one] of more.reached) {
      covered.add(urn);
      if (!reached.has(urn)) reached.set(urn, { ...one, depth: depth + one.depth });
    }
  }
  return { reached, unexplored };
}

const never = () => false;
const proves = (edge: EvaluatedEdge | null) => edge && provenOnly(edge);

function changeImpact(
  { reached, unexplored }: Pick<TraversalResult, 'reached' | 'unexplored'>,
  isBroken: (one: ReachedRelation) => boolean,
): ChangeImpact {
  const impacted = [...reached.values()].map((one): ImpactedRelation => {
    const { urn, depth, columns, via } = one;
    return {
      urn,
      depth,
      columns: [...columns.names.values()].sort(compare),
      via: [...via].sort(compare),
      grade: isBroken(one) ? 'breaking' : 'risky',
    };
  });
  const ref = ({ urn }: ImpactedRelation) => relationRefOf(nodeOf(urn));
  return {
    impacted: sortedBy(
      impacted,
      ({ depth }) => depth,
      ref,
      ({ urn }) => urn,
    ),
    unexplored,
  };
}
