import { fromColumn, merge, nothing, through } from '../provenance.ts';
import type { ReadRecords } from '../recorder.ts';
import { type Condition, type Frame, repeatRecords, type Session } from '../session.ts';
import type { Provenance } from '../types.ts';
import type { Part } from './instruction.ts';

const conditionsOf = (frames: readonly Frame[] | null): readonly Condition[] =>
  (frames ?? []).flatMap(({ conditions }) => conditions);

/** Records what decides whether a statement runs as what decides which rows it writes. */
export function recordConditions(frames: readonly Frame[] | null, { analysis }: ReadRecords): void {
  for (const { value, records } of conditionsOf(frames)) {
    if (records !== null) repeatRecords(records, analysis);
    analysis.recordIndirect(value, 'FILTER');
  }
}

export function addCondition(frames: readonly Frame[], condition: Condition): void {
  const { value, records } = condition;
  const says =
    value.columns.size + value.reasons.size + (records?.reads.length ?? 0) + (records?.indirect.size ?? 0) > 0;
  const frame = frames.at(-1);
  if (says && frame !== undefined) frame.conditions = [...frame.conditions, condition];
}

/** What follows in a part depends on the conditions that it was left by. Returns both. */
export function leaveEarly(frames: readonly Frame[], part: Part) {
  const place = Math.max(
    0,
    frames.findLastIndex((frame) => frame.part === part),
  );
  const frame = frames[place];
  const inner = conditionsOf(frames.slice(place + 1));
  if (frame !== undefined && inner.length > 0) frame.conditions = [...frame.conditions, ...inner];
  return { frame, inner };
}

/** What is undone on a condition depends on it. */
export function rollBack({ frames, done, undone, budget }: Session, to: string): void {
  const places = (frames ?? []).flatMap(({ savepoints }) => ['', to].map((name) => savepoints.get(name) ?? 0));
  const statements = done.slice(Math.max(0, ...places));
  const conditions = conditionsOf(frames);
  // Each is kept here and recorded in the second run, with the columns that it reads.
  budget.left -= 4 * statements.length * conditions.length;
  if (budget.left < 0) return;
  for (const one of statements) {
    const known = undone.get(one) ?? new Set();
    for (const condition of conditions) known.add(condition);
    undone.set(one, known);
  }
}

/** Whether what happens here happens whenever the body runs. */
export const isCertain = (frames: readonly Frame[] | null): boolean =>
  (frames ?? []).every(({ part, conditions }) => part === 'routine' && conditions.length === 0);

/** What decides that a value is the one that a query has found, and that it was looked for. */
export function influenceOf(frames: readonly Frame[] | null, own: ReadRecords | null, isFetch = false): Provenance {
  // The rows of a cursor are there before a loop ends.
  const conditions = conditionsOf(frames).filter(({ isExit }) => !(isFetch && isExit));
  const all = [own, ...conditions.map(({ records }) => records)].filter((one) => one !== null);
  const rows = all.map(({ analysis, indirect, indirectReasons }) => {
    analysis.spend(indirect.size);
    return merge([
      ...[...indirect.values()].map(({ relation, column, subtype }) => through(fromColumn(relation, column), subtype)),
      { ...nothing, reasons: indirectReasons },
    ]);
  });
  return merge([...rows, ...conditions.map(({ value }) => through(value, 'FILTER'))]);
}
