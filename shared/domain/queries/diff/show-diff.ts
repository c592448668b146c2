import { type DiffGrade, diffGrades, type LineageDiff } from '../../../contract/diff.ts';
import { limits } from '../../../contract/limits.ts';
import type { EdgeColumn } from '../../graph/detail-store.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { sortedBy } from '../../sorted-by.ts';
import { firstCarried } from '../answer-size.ts';
import type { Changes } from './compare.ts';
import type { ChangeEffect, Graded } from './effects.ts';
import type { VersionColumnSource } from './graph-version.ts';

type Shown = Pick<LineageDiff, 'grade' | 'summary' | 'relations' | 'edges' | 'columns' | 'precision' | 'truncated'>;

/** The changes as the interface shows them, in an order that depends on names alone; what is not listed is counted. */
export function showChanges(changes: Changes, graded: Graded, byRequests = false): Shown {
  const whole = shownUpTo(changes, graded, { listed: limits.diff.listed, breaks: Number.POSITIVE_INFINITY });
  const shown = firstCarried(whole, cutShown(changes, graded));
  const any = shown.truncated.any || byRequests;
  return { ...shown, truncated: { ...shown.truncated, any, by_requests: byRequests } };
}

/** How many changes are listed, and how many relations that each breaks. */
type Bounds = { readonly listed: number; readonly breaks: number };

const smallerBounds: readonly Bounds[] = [
  { listed: limits.diff.listed, breaks: 10 },
  { listed: limits.diff.listed, breaks: 0 },
  { listed: 200, breaks: 0 },
  { listed: 20, breaks: 0 },
  { listed: 1, breaks: 0 },
  { listed: 0, breaks: 0 },
];

function* cutShown(changes: Changes, graded: Graded): Generator<Shown> {
  for (const bounds of smallerBounds) yield withCut(shownUpTo(changes, graded, bounds));
}

const withCut = (shown: Shown): Shown => ({ ...shown, truncated: { ...shown.truncated, any: true, by_bytes: true } });

function shownUpTo({ edges, unknown }: Changes, { relations, columns }: Graded, bounds: Bounds): Shown {
  const { listed } = bounds;
  const effects = [...relations, ...columns].map(({ effect }) => effect);
  const grades = effects.map(({ grade }) => grade);
  const unlisted = [relations, edges, columns].reduce((sum, { length }) => sum + Math.max(0, length - listed), 0);
  const unwalked = effects.filter(({ walked }) => !walked).length;
  return {
    grade: diffGrades.findLast((grade) => grades.includes(grade)) ?? 'safe',
    summary: {
      relations: countsOf(relations),
      edges: countsOf(edges),
      columns: countsOf(columns),
      grades: { safe: countOf(grades, 'safe'), risky: countOf(grades, 'risky'), breaking: countOf(grades, 'breaking') },
    },
    relations: relationsShown(relations, bounds),
    edges: edgesShown(edges, listed),
    columns: columnsShown(columns, bounds),
    precision: {
      reasons: sortedBy(
        unknown.map(({ relation, reason }) => ({ relation_ref: refOf(relation), reason })),
        (one) => JSON.stringify(one),
      ).slice(0, listed),
    },
    truncated: { any: unlisted + unwalked > 0, by_requests: false, by_bytes: false, unlisted, unwalked },
  };
}

const relationsShown = (relations: Graded['relations'], { listed, breaks }: Bounds): Shown['relations'] =>
  mostSevereFirst(
    relations.map(({ change, relation, reasons, effect }) => ({
      change,
      relation_ref: refOf(relation),
      kind: nodeOf(relation).kind,
      reasons: [...reasons],
      ...effectShown(effect, breaks),
    })),
    listed,
    (one) => one.relation_ref,
  );

const edgesShown = (edges: Changes['edges'], listed: number): Shown['edges'] =>
  sortedBy(
    edges.map(({ change, from, to, columnsAdded, columnsRemoved }) => ({
      change,
      upstream: refOf(from),
      downstream: refOf(to),
      columns_added: mappings(columnsAdded),
      columns_removed: mappings(columnsRemoved),
    })),
    (one) => JSON.stringify([one.downstream, one.upstream]),
  ).slice(0, listed);

const columnsShown = (columns: Graded['columns'], { listed, breaks }: Bounds): Shown['columns'] =>
  mostSevereFirst(
    columns.map(({ change, relation, column, before, after, effect }) => ({
      change,
      relation_ref: refOf(relation),
      column,
      before: before && sources(before),
      after: after && sources(after),
      ...effectShown(effect, breaks),
    })),
    listed,
    (one) => JSON.stringify([one.relation_ref, one.column]),
  );

const refOf = (urn: Urn) => relationRefOf(nodeOf(urn));

/** The gravest come first, so that a cut never hides them. */
function mostSevereFirst<T extends { readonly grade: DiffGrade }>(
  items: readonly T[],
  listed: number,
  nameOf: (item: T) => string,
): T[] {
  const severity = ({ grade }: T) => diffGrades.length - diffGrades.indexOf(grade);
  return sortedBy(items, severity, nameOf).slice(0, listed);
}

const countOf = (grades: readonly DiffGrade[], grade: DiffGrade): number =>
  grades.filter((one) => one === grade).length;

function countsOf(items: readonly { readonly change: 'added' | 'removed' | 'changed' }[]) {
  const of = (change: string) => items.filter((one) => one.change === change).length;
  return { added: of('added'), removed: of('removed'), changed: of('changed') };
}

const effectShown = ({ grade, impacted, unexplored, walked }: ChangeEffect, breaks: number) => ({
  grade,
  breaks: impacted.slice(0, breaks).map(({ urn, columns, via, ...relation }) => ({
    relation_ref: refOf(urn),
    kind: nodeOf(urn).kind,
    columns: [...columns],
    via: [...via],
    ...relation,
  })),
  unexplored,
  walked,
});

const mappings = (columns: readonly EdgeColumn[]): LineageDiff['edges'][number]['columns_added'] =>
  sortedBy(
    columns.map(({ inputColumn, outputColumn, type, subtype }) => ({
      upstream: inputColumn,
      downstream: outputColumn,
      type,
      subtype,
    })),
    (one) => JSON.stringify(one),
  );

const sources = (columns: readonly VersionColumnSource[]): NonNullable<LineageDiff['columns'][number]['before']> =>
  sortedBy(
    columns.map(({ relation, inputColumn, type, subtype }) => ({
      relation_ref: refOf(relation),
      column: inputColumn,
      type,
      subtype,
    })),
    (one) => JSON.stringify(one),
  );
