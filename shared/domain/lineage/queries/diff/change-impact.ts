import { type DiffGrade, diffGrades } from '../../../../contract/diff.ts';
import { compare, sortedBy } from '../../../base/collections.ts';
import { refOf, type Urn } from '../../graph/node.ts';
import { type Columns, columnsOf, everyColumn } from '../../traversal/columns.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { ReachedRelation } from '../../traversal/traversal-state.ts';
import { type TraversalResult, traverse } from '../../traversal/traverse.ts';
import { isLongAgo, type StaleRelation, staleOnly } from '../claim/hidden-edges.ts';
import type { ImpactQuestion } from '../impact/answer.ts';
import { isToExposure } from '../impact/ask-impact.ts';
import { also, type Overlay, provenOnly, usedOnly } from './branch.ts';
import type { Changes, ColumnDifference, RelationChange } from './compare.ts';
import { concernsRows } from './compare-models.ts';
import { altersContents } from './with-models.ts';

type ImpactedRelation = {
  readonly urn: Urn;
  readonly depth: number;
  readonly columns: readonly string[];
  readonly via: readonly string[];
  readonly grade: Exclude<DiffGrade, 'safe'>;
};

type ChangeImpact = { readonly impacted: readonly ImpactedRelation[]; readonly unexplored: number };

export type ChangeImpactQuestion = Pick<ImpactQuestion, 'connectorId' | 'asOf' | 'maxDepth' | 'maxNodes'>;

export type ImpactFinder = {
  /** What only edges reach that are not followed, of all walks so far. */
  readonly hidden: () => readonly StaleRelation[];
  /** The edges whose evidence may name owners, of all walks so far. */
  readonly mayNameOwners: () => readonly EvaluatedEdge[];
  /** What breaks where a relation is gone: what reads it at once, and what it reaches by mappings all the way. */
  readonly ofRelation: (relation: Urn) => Promise<ChangeImpact>;
  /** What breaks where columns are gone: what they reach by mappings all the way; what only may read them is at risk. */
  readonly ofColumn: (relation: Urn, column: string) => Promise<ChangeImpact>;
  /** What is at risk where a column, or all of a relation (null), means something else. */
  readonly ofMeaning: (relation: Urn, column: string | null) => Promise<ChangeImpact>;
  /** What is at risk if a relation has other rows: everything downstream, regardless of columns. */
  readonly ofRows: (relation: Urn) => Promise<ChangeImpact>;
};

/** Exposures, and what a DataHub states: its datasets have owners. */
const namesOwners = (edge: EvaluatedEdge): boolean =>
  isToExposure(edge) || edge.evidence.some(({ providerType }) => providerType === 'datahub_catalog');

/**
 * Traverses downstream over one view of the live graph, which still has what the change removes; `overlay` applies what the
 * change adapts. Relations that are proven to hold the same are not at risk.
 */
export function impactFinder(
  view: GraphView,
  question: ChangeImpactQuestion,
  overlay: Overlay,
  unaltered: ReadonlySet<Urn> = new Set(),
): ImpactFinder {
  const proven = also(overlay, provenOnly);
  const used = also(overlay, usedOnly);
  const hidden = new Map<Urn, StaleRelation>();
  const mayNameOwners = new Map<string, EvaluatedEdge>();
  const downstream = async (over: Overlay, root: Urn, columns: Columns | null) => {
    const options = { ...question, root, columns, includeStale: false, minConfidence: 0, overlay: over };
    const { out } = await traverse(view, options, ['out']);
    for (const one of over === proven ? [] : staleOnly(out)) hidden.set(one.urn, one);
    for (const [key, { edge }] of out.edges) if (namesOwners(edge)) mayNameOwners.set(key, edge);
    return out;
  };
  const changeImpact = impactAt(question.asOf ?? view.context.now);
  const riskOf = ({ reached, ...found }: Found) =>
    changeImpact({ ...found, reached: new Map([...reached].filter(([urn]) => !unaltered.has(urn))) }, never);
  return {
    hidden: () => [...hidden.values()],
    mayNameOwners: () => [...mayNameOwners.values()],
    ofRelation: async (relation) => {
      const reached = await downstream(overlay, relation, null);
      const sure = await downstream(proven, relation, everyColumn);
      return changeImpact(reached, ({ urn, depth }) => depth === 1 || sure.reached.has(urn));
    },
    ofColumn: async (relation, column) => {
      const reached = await downstream(overlay, relation, columnsOf([column]));
      const sure = await downstream(proven, relation, columnsOf([column]));
      const whole = await withWholes(reached, readersOf(sure, relation), (root) => downstream(overlay, root, null));
      return changeImpact(whole, ({ urn }) => sure.reached.has(urn));
    },
    ofMeaning: async (relation, column) => {
      const columns = column === null ? everyColumn : columnsOf([column]);
      const found = await downstream(used, relation, columns);
      const whole = await withWholes(found, filteredBy(found), (root) => downstream(overlay, root, null));
      return riskOf(whole);
    },
    ofRows: async (relation) => riskOf(await downstream(overlay, relation, null)),
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

type Found = Pick<TraversalResult, 'reached' | 'suppressed' | 'unexplored'>;

/** Follows some of the relations that were found as a whole, regardless of columns. */
async function withWholes(
  found: TraversalResult,
  wholes: readonly Urn[],
  rowsOf: (root: Urn) => Promise<TraversalResult>,
): Promise<Found> {
  const [reached, suppressed] = [new Map(found.reached), new Map(found.suppressed)];
  let { unexplored } = found;
  const depthOf = (urn: Urn) => found.reached.get(urn)?.depth ?? 0;
  const roots = sortedBy(new Set(wholes), depthOf, (urn) => urn);
  const covered = new Set<Urn>();
  for (const root of roots) {
    if (covered.has(root)) continue;
    const more = await rowsOf(root);
    unexplored = Math.max(unexplored, more.unexplored);
    for (const [key, edge] of more.suppressed) suppressed.set(key, edge);
    for (const [urn, one] of more.reached) {
      covered.add(urn);
      if (!reached.has(urn)) reached.set(urn, { ...one, depth: depthOf(root) + one.depth });
    }
  }
  return { reached, suppressed, unexplored };
}

const never = () => false;

/** What only stale edges reach is at risk too, unless it was last observed long ago. */
const impactAt =
  (at: string) =>
  (found: Found, isBroken: (one: ReachedRelation) => boolean): ChangeImpact => {
    const impacted = [...found.reached.values()].map((one): ImpactedRelation => {
      const columns = [...one.columns.names.values()].sort(compare);
      const grade = isBroken(one) ? 'breaking' : 'risky';
      return { urn: one.urn, depth: one.depth, columns, via: [...one.via].sort(compare), grade };
    });
    const stale = staleOnly(found).filter((one) => !isLongAgo(one, at));
    const hidden = stale.map(({ urn, depth, via }) => ({ urn, depth, columns: [], via, grade: 'risky' as const }));
    return { impacted: nearestFirst([...impacted, ...hidden]), unexplored: found.unexplored };
  };

const nearestFirst = (impacted: Iterable<ImpactedRelation>): ImpactedRelation[] => {
  const [depth, ref] = [(one: ImpactedRelation) => one.depth, ({ urn }: ImpactedRelation) => refOf(urn)];
  return sortedBy(impacted, depth, ref, ({ urn }) => urn);
};

export type ChangeEffect = {
  readonly grade: DiffGrade;
  readonly impacted: readonly ImpactedRelation[];
  readonly unexplored: number;
  readonly walked: boolean;
};

export type Graded = {
  readonly relations: readonly (RelationChange & { readonly effect: ChangeEffect })[];
  readonly columns: readonly (ColumnDifference & { readonly effect: ChangeEffect })[];
};

/** The maximum number of changes to walk from, the worst first: each needs a separate walk. */
const maxTraversals = 200;

const noEffect: ChangeEffect = { grade: 'safe', impacted: [], unexplored: 0, walked: true };
const unwalked: ChangeEffect = { grade: 'risky', impacted: [], unexplored: 0, walked: false };

type Walk = () => Promise<ChangeImpact>;

export async function gradeChanges(
  breaks: ImpactFinder,
  { relations, edges, columns, unknown }: Changes,
  isSpent = () => false,
): Promise<Graded> {
  const uncertain = new Set(unknown.map(({ relation }) => relation));
  let walks = 0;
  const mayWalk = () => walks++ < maxTraversals && !isSpent();
  const removed = await effectsOf(mayWalk, relations, (one) => walkOfRemoved(breaks, one, edges));
  const lost = await effectsOf(mayWalk, columns, ({ change, relation, column }) =>
    change === 'removed' ? () => breaks.ofColumn(relation, column) : null,
  );
  const altered = await effectsOf(mayWalk, relations, (one) => walkOfAltered(breaks, one, uncertain.has(one.relation)));
  const other = await effectsOf(mayWalk, columns, ({ change, relation, column }) =>
    change === 'changed' ? () => breaks.ofMeaning(relation, column) : null,
  );
  const formulas = new Map(
    relations.map(({ relation, model }) => [
      relation,
      new Set(model?.statement?.kind === 'changed' ? model.statement.columns : []),
    ]),
  );
  const isAltered = ({ change, relation, column }: ColumnDifference) =>
    change === 'changed' && (formulas.get(relation)?.has(column.toLowerCase()) ?? false);
  const ofColumns = columns.map((one) => {
    const effect = lost.get(one) ?? other.get(one) ?? noEffect;
    return { ...one, effect: isAltered(one) || one.isHeld ? atLeastRisky(effect) : effect };
  });
  const byRelation = Map.groupBy(ofColumns, ({ relation }) => relation);
  return {
    relations: relations.map((one) => {
      const effect = removed.get(one) ?? altered.get(one) ?? noEffect;
      const own = altersContents(one.model) ? atLeastRisky(effect) : effect;
      const inColumns = (byRelation.get(one.relation) ?? []).map((column) => column.effect);
      return { ...one, effect: worstOf([own, ...inColumns]) };
    }),
    columns: ofColumns,
  };
}

/** Who reads a relation outside of the graph is not known: other contents are never safe. */
const atLeastRisky = (effect: ChangeEffect): ChangeEffect =>
  effect.grade === 'safe' ? { ...effect, grade: 'risky' } : effect;

/** What a relation does downstream is what it does and each of its columns: it is as bad as the worst (C-DIFF-9). */
function worstOf(effects: readonly ChangeEffect[]): ChangeEffect {
  const [first, ...more] = effects;
  if (first === undefined || more.length === 0) return first ?? noEffect;
  const impacted = new Map<string, ImpactedRelation>();
  for (const one of effects.flatMap((effect) => effect.impacted)) {
    const known = impacted.get(one.urn);
    impacted.set(one.urn, known ? joined(known, one) : one);
  }
  const grades = effects.map(({ grade }) => grade);
  return {
    grade: diffGrades.findLast((grade) => grades.includes(grade)) ?? 'safe',
    impacted: nearestFirst(impacted.values()),
    unexplored: Math.max(...effects.map(({ unexplored }) => unexplored)),
    walked: effects.every(({ walked }) => walked),
  };
}

const joined = (a: ImpactedRelation, b: ImpactedRelation): ImpactedRelation => ({
  urn: a.urn,
  depth: Math.min(a.depth, b.depth),
  columns: [...new Set([...a.columns, ...b.columns])].sort(compare),
  via: [...new Set([...a.via, ...b.via])].sort(compare),
  grade: [a, b].some(({ grade }) => grade === 'breaking') ? 'breaking' : 'risky',
});

/** The live graph has what the branch stops reading, and not what it begins to read of a relation that it does not make. */
function walkOfRemoved(
  breaks: ImpactFinder,
  { relation, reasons }: RelationChange,
  edges: Changes['edges'],
): Walk | null {
  if (!reasons.includes('no_longer_made')) return null;
  const added = edges.flatMap(({ change, from, to }): ImpactedRelation[] =>
    change === 'added' && from === relation ? [{ urn: to, depth: 1, columns: [], via: [], grade: 'breaking' }] : [],
  );
  return async () => {
    const { impacted, unexplored } = await breaks.ofRelation(relation);
    const known = new Set(impacted.map(({ urn }) => urn));
    return { impacted: nearestFirst([...impacted, ...added.filter(({ urn }) => !known.has(urn))]), unexplored };
  };
}

/** Where columns tell what changed, they are walked from; if they cannot, all of the relation is. */
function walkOfAltered(breaks: ImpactFinder, change: RelationChange, isUncertain: boolean): Walk | null {
  const { relation, reasons, model } = change;
  if (reasons.includes('no_longer_made')) return null;
  if (model && concernsRows(model)) return () => breaks.ofRows(relation);
  const whole =
    reasons.includes('influences_changed') ||
    reasons.includes('columns_unknown') ||
    (isUncertain && reasons.includes('inputs_changed'));
  return whole ? () => breaks.ofMeaning(relation, null) : null;
}

async function effectsOf<C>(
  mayWalk: () => boolean,
  changes: readonly C[],
  walkOf: (change: C) => Walk | null,
): Promise<Map<C, ChangeEffect>> {
  const effects = new Map<C, ChangeEffect>();
  for (const change of changes) {
    const walk = walkOf(change);
    if (!walk) continue;
    effects.set(change, mayWalk() ? effectOf(await walk()) : unwalked);
  }
  return effects;
}

/** What lies beyond the bounds of a walk may break too. */
function effectOf({ impacted, unexplored }: ChangeImpact): ChangeEffect {
  const isBroken = impacted.some(({ grade }) => grade === 'breaking');
  const grade = isBroken ? 'breaking' : impacted.length + unexplored > 0 ? 'risky' : 'safe';
  return { grade, impacted, unexplored, walked: true };
}
