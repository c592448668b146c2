import type { DiffGrade } from '../../../contract/diff.ts';
import type { ChangeImpact, ImpactedRelation, ImpactFinder } from './change-impact.ts';
import type { Changes, ColumnDifference, RelationChange } from './compare.ts';

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
  return {
    relations: relations.map((one) => ({ ...one, effect: gone.get(one) ?? altered.get(one) ?? noEffect })),
    columns: columns.map((one) => ({ ...one, effect: lost.get(one) ?? other.get(one) ?? noEffect })),
  };
}

const walkOfGone = (breaks: ImpactFinder, { relation, reasons }: RelationChange): Walk | null =>
  reasons.includes('no_longer_made') ? () => breaks.ofRelation(relation) : null;

/** Where columns tell what changed, they are walked from; where they cannot, all of the relation is. */
function walkOfAltered(breaks: ImpactFinder, { relation, reasons }: RelationChange, isUncertain: boolean): Walk | null {
  if (reasons.includes('no_longer_made')) return null;
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
