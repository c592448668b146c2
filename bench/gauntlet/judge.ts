import type { LineageDiff } from '../../shared/contract/diff.ts';

/** How a relation differs from the base after a change was executed. */
export type Difference = {
  readonly is_gone: boolean;
  readonly is_new: boolean;
  /** Columns that are gone, or have another type. */
  readonly columns_lost: readonly string[];
  readonly columns_added: readonly string[];
  /** Rows, as a multiset over the columns of both sides. */
  readonly only_before: number;
  readonly only_after: number;
};

/** What executing a change showed. */
export type Executed = {
  readonly differences: Readonly<Record<string, Difference>>;
  /** Relations whose own statement, seed or settings the change touches, readers of an ephemeral model among them. */
  readonly touched: readonly string[];
  /** What each relation reads, before or after the change; ephemeral models are part of their readers. */
  readonly reads: Readonly<Record<string, readonly string[]>>;
};

/** The part of a comparison that the judge reads. */
export type Report = Pick<LineageDiff, 'grade' | 'truncated' | 'precision'> & {
  readonly relations: readonly Named[];
  readonly columns: readonly Named[];
};
type Named = Pick<LineageDiff['relations'][number], 'relation_ref' | 'grade' | 'unexplored'> & {
  readonly breaks: readonly { readonly relation_ref: string }[];
};

export type Verdict = {
  /** Relations that really differ. */
  readonly differs: readonly string[];
  /** Of these: the change itself touches them, and the report lists no change of them. */
  readonly missedAtModel: readonly string[];
  /** Of these: the report names them nowhere. */
  readonly unnamed: readonly string[];
  /** Relations that the report says are changed for the worse, or may break, and that do not differ. */
  readonly overWarned: readonly string[];
  /** Of these: nothing that they read, however far up, differs either. The others could differ with other data. */
  readonly beyondReach: readonly string[];
  /** The relations of the project that the report names. */
  readonly named: readonly string[];
  /** The report grades the change safe, although it alters a relation that it does not touch itself, or that nobody named. */
  readonly isFalseAllClear: boolean;
  /** The relations of the project that `--select` has built. */
  readonly selected: readonly string[];
  /** Relations that differ and that it does not have built. */
  readonly notSelected: readonly string[];
  /** The report says that it left something out, so that an unnamed relation is not a silent one. */
  readonly saysItIsCut: boolean;
};

export const differs = (one: Difference): boolean => one.is_new || one.columns_added.length > 0 || altersWhatWas(one);

/** Holds a report to what executing the change showed. Relations outside of the project, such as sources, are not judged. */
export function judge(
  { differences, touched, reads }: Executed,
  report: Report,
  toBuild: ReadonlySet<string> = new Set(),
): Verdict {
  const refs = Object.keys(differences);
  const changed = refs.filter((ref) => differs(differences[ref] ?? unchanged));
  const entries = [...report.relations, ...report.columns];
  const listed = new Set(entries.map(({ relation_ref }) => relation_ref));
  const reached = new Set(entries.flatMap(({ breaks }) => breaks.map(({ relation_ref }) => relation_ref)));
  const warned = new Set(entries.flatMap(({ grade, relation_ref }) => (grade === 'safe' ? [] : [relation_ref])));
  const altered = changed.filter((ref) => altersWhatWas(differences[ref] ?? unchanged));
  const unnamed = changed.filter((ref) => !listed.has(ref) && !reached.has(ref));
  const overWarned = refs.filter((ref) => (warned.has(ref) || reached.has(ref)) && !changed.includes(ref));
  const reach = downstreamOf(changed, reads);
  return {
    differs: changed,
    missedAtModel: changed.filter((ref) => touched.includes(ref) && !listed.has(ref)),
    unnamed,
    overWarned,
    beyondReach: overWarned.filter((ref) => !reach.has(ref)),
    named: refs.filter((ref) => listed.has(ref) || reached.has(ref)),
    selected: refs.filter((ref) => toBuild.has(ref.toLowerCase())),
    notSelected: changed.filter((ref) => !differences[ref]?.is_gone && !toBuild.has(ref.toLowerCase())),
    isFalseAllClear: report.grade === 'safe' && altered.some((ref) => !touched.includes(ref) || unnamed.includes(ref)),
    saysItIsCut: report.truncated.any || entries.some(({ unexplored }) => unexplored > 0),
  };
}

/** Relations that read one of some relations, at once or through others, and these themselves. */
function downstreamOf(refs: readonly string[], reads: Executed['reads']): ReadonlySet<string> {
  const found = new Set(refs);
  // A set that grows while it is walked is walked to its end.
  for (const ref of found)
    for (const [reader, read] of Object.entries(reads)) if (read.includes(ref)) found.add(reader);
  return found;
}

const unchanged: Difference = {
  is_gone: false,
  is_new: false,
  columns_lost: [],
  columns_added: [],
  only_before: 0,
  only_after: 0,
};

/** New relations, and new columns beside the old ones, alter nothing that anybody reads. */
const altersWhatWas = ({ is_gone, columns_lost, only_before, only_after }: Difference): boolean =>
  is_gone || columns_lost.length > 0 || only_before + only_after > 0;

/** Counts of all changes. */
export function totals(verdicts: readonly Verdict[]) {
  const sum = (count: (one: Verdict) => number) => verdicts.reduce((all, one) => all + count(one), 0);
  const equal = verdicts.filter((one) => one.differs.length === 0);
  const named = sum((one) => one.named.length);
  const overWarned = sum((one) => one.overWarned.length);
  const beyondReach = sum((one) => one.beyondReach.length);
  const share = (count: number) => (named === 0 ? 0 : Math.round((count / named) * 1000) / 1000);
  return {
    changes: verdicts.length,
    altering: verdicts.length - equal.length,
    relationsThatDiffer: sum((one) => one.differs.length),
    missedAtModel: sum((one) => one.missedAtModel.length),
    unnamed: sum((one) => one.unnamed.length),
    unnamedAndSaysItIsCut: sum((one) => (one.saysItIsCut ? one.unnamed.length : 0)),
    falseAllClears: verdicts.filter((one) => one.isFalseAllClear).length,
    named,
    selected: sum((one) => one.selected.length),
    notSelected: sum((one) => one.notSelected.length),
    overWarned,
    overWarnedShare: share(overWarned),
    beyondReach,
    beyondReachShare: share(beyondReach),
    equal: equal.length,
    equalButWarned: equal.filter((one) => one.overWarned.length > 0).length,
  };
}
