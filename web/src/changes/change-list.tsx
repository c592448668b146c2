import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { informativeRelations } from '../../../shared/domain/lineage/report/because.ts';
import type { Diff } from '../api/queries.ts';
import { fullName, Ref } from '../parts/layer.tsx';
import { GapRow, TableHead } from '../parts/listed.tsx';
import { texts } from '../texts.ts';

type ColumnOfDiff = Diff['columns'][number];
type Grade = ColumnOfDiff['grade'];

/** A line of the list: a column that goes, comes or changes, or a relation that says more than its columns do. */
export type ListedChange = {
  readonly key: string;
  readonly relation: string;
  readonly column: string | null;
  /** The new name of a column that was renamed. */
  readonly renamed: string | null;
  readonly change: string;
  readonly grade: Grade;
  readonly breaks: ColumnOfDiff['breaks'];
};

const grades: readonly Grade[] = ['breaking', 'risky', 'safe'];
export const sections = ['goes', 'means', 'comes'] as const;
type Section = (typeof sections)[number];

/**
 * The changes in the list's sections, the worst first. A relation that says no more than its columns do is not listed
 * beside them, and of a relation that comes no column is.
 */
export function changesOf(diff: Diff): Record<Section, ListedChange[]> {
  const added = new Set(diff.relations.filter(({ change }) => change === 'added').map((one) => one.relation_ref));
  const columns = renamesOf(diff.columns.filter(({ relation_ref }) => !added.has(relation_ref)));
  const all: ListedChange[] = [
    ...columns.map(({ column, renamed }) => ({
      key: `${column.relation_ref}\n${column.column}`,
      relation: column.relation_ref,
      column: column.column,
      renamed,
      change: renamed === null ? column.change : 'renamed',
      grade: column.grade,
      breaks: column.breaks,
    })),
    ...informativeRelations(diff).map(({ relation_ref, change, grade, breaks }) => ({
      ...{ key: relation_ref, relation: relation_ref, column: null, renamed: null, change, grade, breaks },
    })),
  ].toSorted((a, b) => grades.indexOf(a.grade) - grades.indexOf(b.grade) || b.breaks.length - a.breaks.length);
  return { goes: [], means: [], comes: [], ...Object.groupBy(all, ({ change }) => sectionOf(change)) };
}

const sectionOf = (change: string): Section =>
  change === 'removed' || change === 'renamed' ? 'goes' : change === 'added' ? 'comes' : 'means';

export const worst = (all: readonly Grade[]): Grade => grades.find((grade) => all.includes(grade)) ?? 'safe';

/** A column that goes and one that comes of the same relation and from the same source are one that is renamed. */
function renamesOf(columns: readonly ColumnOfDiff[]) {
  const sourceOf = ({ relation_ref }: ColumnOfDiff, source: ColumnOfDiff['before']) =>
    source === null || source.length === 0 ? null : JSON.stringify([relation_ref, source]);
  const added = new Map(
    columns.filter(({ change }) => change === 'added').map((column) => [sourceOf(column, column.after), column]),
  );
  const paired = new Set<ColumnOfDiff>();
  const removed = columns
    .filter(({ change }) => change === 'removed')
    .flatMap((column) => {
      const source = sourceOf(column, column.before);
      const next = source === null ? undefined : added.get(source);
      if (next === undefined || paired.has(next)) return [];
      paired.add(next);
      return [[column, next.column] as const];
    });
  const renamed = new Map(removed);
  return columns
    .filter((column) => !paired.has(column))
    .map((column) => ({ column, renamed: renamed.get(column) ?? null }));
}

/** How many relations a change itself breaks, and how many it only may break. */
export function countsOf(breaks: readonly Pick<ListedChange['breaks'][number], 'grade'>[]): {
  readonly breaks: number;
  readonly may: number;
} {
  const sure = breaks.filter(({ grade }) => grade === 'breaking').length;
  return { breaks: sure, may: breaks.length - sure };
}

const Effect = ({ breaks, may }: ReturnType<typeof countsOf>) => (
  <>
    {breaks > 0 && <b>{texts.changes.sure(breaks)}</b>}{' '}
    {may > 0 && <span className="dim">{texts.changes.maybe(may)}</span>}
  </>
);

const rowHeight = 52;

type ChangeListProps = {
  readonly title: string;
  readonly changes: readonly ListedChange[];
  readonly chosen: string | null;
  readonly choose: (change: ListedChange) => void;
};

/** Of a long list, only the rows in sight are in the page. */
export function ChangeList({ title, changes, chosen, choose }: ChangeListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: changes.length,
    getScrollElement: () => frame.current?.closest('.difflist') ?? null,
    estimateSize: () => rowHeight,
    overscan: 20,
    initialRect: { width: 348, height: 900 },
  });
  if (changes.length === 0) return null;
  const rows = virtual.getVirtualItems();
  return (
    <section ref={frame} className="change-list">
      <h2>
        {title} <span className="dim">{changes.length.toLocaleString()}</span>
      </h2>
      <table aria-label={title} aria-rowcount={changes.length + 1}>
        <TableHead headings={[texts.lineage.headings.relation, texts.changes.title, texts.changes.breaks]} />
        <tbody>
          <GapRow height={rows[0]?.start ?? 0} columns={3} />
          {rows.map(({ index }) => {
            const change = changes[index];
            return (
              change && <ChangeRow key={change.key} change={change} isChosen={change.key === chosen} choose={choose} />
            );
          })}
          <GapRow height={virtual.getTotalSize() - (rows.at(-1)?.end ?? 0)} columns={3} />
        </tbody>
      </table>
    </section>
  );
}

type ChangeRowProps = {
  readonly change: ListedChange;
  readonly isChosen: boolean;
  readonly choose: (change: ListedChange) => void;
};

const ChangeRow = ({ change, isChosen, choose }: ChangeRowProps) => (
  <tr data-grade={change.grade} data-chosen={isChosen}>
    <th scope="row">
      <button type="button" className="quiet" aria-pressed={isChosen} onClick={() => choose(change)}>
        <Ref of={fullName(change)} />
        {change.renamed !== null && <ins> → {change.renamed}</ins>}
      </button>
    </th>
    <td>
      {/* What it breaks says how grave it is. What only comes breaks nothing, which is no verdict on it. */}
      {change.breaks.length > 0 || (change.change === 'added' && change.grade === 'safe')
        ? change.change
        : `${change.change}, ${change.grade}`}
    </td>
    <td>{change.breaks.length > 0 && <Effect {...countsOf(change.breaks)} />}</td>
  </tr>
);
