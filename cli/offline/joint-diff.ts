// One answer of two: the base says what a branch changes, and the service adds what its runs and other projects read.
import { type DiffGrade, diffGrades, type LineageDiff } from '../../shared/contract/diff.ts';
import { claimOf, type Found, limited } from '../../shared/domain/lineage/queries/claim/claim.ts';
import { gradeOf } from '../../shared/domain/lineage/queries/diff/diff-claim.ts';
import { askService, jointLimits, notAsked } from './service-beside.ts';

/** @param ask what the service answers of the same branch */
export async function withService(files: LineageDiff, ask: () => Promise<LineageDiff>): Promise<LineageDiff> {
  const service = await askService(ask);
  if ('code' in service) return { ...files, claim: limited(files.claim, service) };
  const { not_evaluated } = service;
  return not_evaluated
    ? { ...files, claim: limited(files.claim, notAsked(not_evaluated.message)) }
    : joined(files, service);
}

function joined(files: LineageDiff, service: LineageDiff): LineageDiff {
  const relations = files.relations.map((one) => withBreaks(one, service.relations.find(isSame(one))));
  const columns = files.columns.map((one) => withBreaks(one, service.columns.find(isSame(one))));
  const limits = jointLimits(files.claim.limits, service.claim.limits);
  const claim = claimOf(foundIn([...relations, ...columns]), limits, service.claim.evidence_until);
  return { ...files, relations, columns, undeclared: service.undeclared, grade: gradeOf[claim.kind], claim };
}

type Change = LineageDiff['relations'][number] | LineageDiff['columns'][number];
type Break = Change['breaks'][number];

const isSame = (one: Change) => (other: Change) =>
  one.change === other.change &&
  one.relation_ref === other.relation_ref &&
  ('column' in one ? 'column' in other && one.column === other.column : !('column' in other));

const worse = <G extends DiffGrade>(a: G, b: G): G => (diffGrades.indexOf(a) > diffGrades.indexOf(b) ? a : b);

function withBreaks<C extends Change>(one: C, other: C | undefined): C {
  if (other === undefined) return one;
  const breaks = new Map<string, Break>(one.breaks.map((reached) => [reached.relation_ref, reached]));
  for (const reached of other.breaks) {
    const known = breaks.get(reached.relation_ref);
    breaks.set(reached.relation_ref, known ? { ...known, grade: worse(known.grade, reached.grade) } : reached);
  }
  return {
    ...one,
    grade: worse(one.grade, other.grade),
    breaks: [...breaks.values()],
    unexplored: Math.max(one.unexplored, other.unexplored),
    walked: one.walked && other.walked,
  };
}

/** Each relation counts once, by the worst that is known of it. */
function foundIn(changes: readonly Change[]): Found {
  const grades = new Map<string, Break['grade']>();
  for (const { relation_ref, grade } of changes.flatMap(({ breaks }) => breaks))
    grades.set(relation_ref, worse(grades.get(relation_ref) ?? grade, grade));
  const breaks = [...grades.values()].filter((grade) => grade === 'breaking').length;
  return { breaks, may_break: grades.size - breaks };
}
