import { type DiffGrade, diffGrades } from '../../../../contract/diff.ts';
import { compare, sortedBy } from '../../../base/collections.ts';
import { nodeOf, relationRefOf } from '../../graph/node.ts';
import type { ChangeImpact, ImpactedRelation, ImpactFinder } from './change-impact.ts';
import type { Changes, ColumnDifference, RelationChange } from './compare.ts';
import { concernsRows } from './compare-models.ts';
import { altersContents } from './with-models.ts';

/** What a change does downstream. */
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

/** So many changes are walked from, the gravest first: each is a walk of its own. */
const maxTraversals = 200;

const noEffect: ChangeEffect = { grade: 'safe', impacted: [], unexplored: 0, walked: true };
const unwalked: ChangeEffect = { grade: 'risky', impacted: [], unexplored: 0, walked: false };

type Walk = () => Promise<ChangeImpact>;

/** Grades each change by what breaks downstream of it. */
export async function gradeChanges(
  breaks: ImpactFinder,
  { relations, columns, unknown }: Changes,
  isSpent = () => false,
): Promise<Graded> {
  const uncertain = new Set(unknown.map(({ relation }) => relation));
  let walks = 0;
  const mayWalk = () => walks++ < maxTraversals && !isSpent();
  const gone = await effectsOf(mayWalk, relations, (one) => walkOfGone(breaks, one));
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
    return { ...one, effect: isAltered(one) ? atLeastRisky(effect) : effect };
  });
  const byRelation = Map.groupBy(ofColumns, ({ relation }) => relation);
  return {
    relations: relations.map((one) => {
      const effect = gone.get(one) ?? altered.get(one) ?? noEffect;
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
    impacted: sortedBy(
      [...impacted.values()],
      ({ depth }) => depth,
      ({ urn }) => relationRefOf(nodeOf(urn)),
      ({ urn }) => urn,
    ),
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

const walkOfGone = (breaks: ImpactFinder, { relation, reasons }: RelationChange): Walk | null =>
  reasons.includes('no_longer_made') ? () => breaks.ofRelation(relation) : null;

/** Where columns tell what changed, they are walked from; where they cannot, all of the relation is. */
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
