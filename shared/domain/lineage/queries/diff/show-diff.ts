import { type DiffGrade, diffGrades, type LineageDiff } from '../../../../contract/diff.ts';
import { beginningOf } from '../../../../contract/fields.ts';
import { limits } from '../../../../contract/limits.ts';
import { sortedBy } from '../../../base/collections.ts';
import type { EdgeColumn } from '../../graph/derivation.ts';
import { nodeOf, refOf } from '../../graph/node.ts';
import { saysColumnsOnly } from '../../report/because.ts';
import { shownVerdict } from '../../traversal/judged-edges.ts';
import { firstCarried } from '../answer-size.ts';
import type { ChangeEffect, Graded } from './change-impact.ts';
import { type ChangeVerdicts, noVerdicts } from './change-verdicts.ts';
import type { Changes, RelationChange } from './compare.ts';
import { concernsRows, type ModelDifference } from './compare-models.ts';
import type { VersionColumnSource } from './graph-version.ts';

type Shown = { readonly grade: DiffGrade } & Pick<
  LineageDiff,
  'summary' | 'relations' | 'edges' | 'columns' | 'undeclared' | 'precision' | 'truncated'
>;

/** The changes as the interface shows them, in an order that depends only on names; what is not listed is counted. */
export function showChanges(
  changes: Changes,
  graded: Graded,
  { byRequests = false, sql = (text) => text, isMasked = false, verdicts = noVerdicts }: Showing = {},
): Shown {
  const how = { sql, isMasked, verdicts };
  const whole = shownUpTo(changes, graded, { ...how, ...everything });
  const shown = firstCarried(whole, cutShown(changes, graded, how));
  const any = shown.truncated.any || byRequests;
  return { ...shown, truncated: { ...shown.truncated, any, by_requests: byRequests } };
}

type Showing = {
  readonly byRequests?: boolean;
  /** SQL as it may be shown (C-POLICY-16). */
  readonly sql?: (text: string) => string;
  /** Whether literals are masked: values of settings, which are in no dialect, are then left out. */
  readonly isMasked?: boolean;
  readonly verdicts?: ChangeVerdicts;
};

/** How many changes are listed, how many relations each breaks, and how many clauses and whole statements are shown. */
type Bounds = {
  readonly listed: number;
  readonly breaks: number;
  readonly clauses: number;
  readonly statements: number;
} & Required<Omit<Showing, 'byRequests'>>;

const everything = { listed: limits.diff.listed, breaks: Number.POSITIVE_INFINITY, clauses: 50, statements: 50 };

const smallerBounds = [
  { listed: limits.diff.listed, breaks: 10, clauses: 5, statements: 0 },
  { listed: limits.diff.listed, breaks: 0, clauses: 0, statements: 0 },
  { listed: 200, breaks: 0, clauses: 0, statements: 0 },
  { listed: 20, breaks: 0, clauses: 0, statements: 0 },
  { listed: 1, breaks: 0, clauses: 0, statements: 0 },
  { listed: 0, breaks: 0, clauses: 0, statements: 0 },
];

function* cutShown(changes: Changes, graded: Graded, how: Required<Omit<Showing, 'byRequests'>>): Generator<Shown> {
  for (const bounds of smallerBounds) yield withCut(shownUpTo(changes, graded, { ...how, ...bounds }));
}

const withCut = (shown: Shown): Shown => ({ ...shown, truncated: { ...shown.truncated, any: true, by_bytes: true } });

function shownUpTo({ edges, unknown }: Changes, { relations, columns }: Graded, bounds: Bounds): Shown {
  const { listed, verdicts } = bounds;
  const effects = [...relations, ...columns].map(({ effect }) => effect);
  const grades = [...relations.filter(hasDetails), ...columns].map(({ effect }) => effect.grade);
  const unlisted = [relations, edges, columns].reduce((sum, { length }) => sum + Math.max(0, length - listed), 0);
  const unwalked = effects.filter(({ walked }) => !walked).length;
  return {
    grade: diffGrades.findLast((grade) => effects.some((one) => one.grade === grade)) ?? 'safe',
    summary: {
      relations: countsOf(relations),
      edges: countsOf(edges),
      columns: countsOf(columns),
      grades: { safe: countOf(grades, 'safe'), risky: countOf(grades, 'risky'), breaking: countOf(grades, 'breaking') },
    },
    relations: relationsShown(relations, bounds),
    edges: edgesShown(edges, bounds),
    columns: columnsShown(columns, bounds),
    undeclared: {
      edges: verdicts.undeclared.slice(0, listed),
      complete: verdicts.isWhole && verdicts.undeclared.length <= listed,
    },
    precision: {
      reasons: sortedBy(
        unknown.map(({ relation, reason }) => ({ relation_ref: refOf(relation), reason })),
        (one) => JSON.stringify(one),
      ).slice(0, listed),
    },
    truncated: { any: unlisted + unwalked > 0, by_requests: false, by_bytes: false, unlisted, unwalked },
  };
}

/** Whether a relation says more than its columns do: else it would be counted once more with them. */
const hasDetails = ({ reasons, model }: RelationChange): boolean =>
  !saysColumnsOnly(reasons, model ? { rows: concernsRows(model) } : null);

const clausesOf = ({ statement }: ModelDifference) => (statement?.kind === 'changed' ? statement.differences : []);

function relationsShown(relations: Graded['relations'], bounds: Bounds): Shown['relations'] {
  const statements = new Map(relations.map(({ relation, model }) => [refOf(relation), model?.sql]));
  const text = (one: string | null) => one && beginningOf(bounds.sql(one), wholeStatement);
  const shown = mostSevereFirst(
    relations.map(({ change, relation, reasons, model, effect }) => ({
      change,
      relation_ref: refOf(relation),
      kind: nodeOf(relation).kind,
      reasons: [...reasons],
      model: model ? modelShown(model, bounds) : null,
      ...effectShown(effect, bounds.breaks),
    })),
    bounds.listed,
    (one) => one.relation_ref,
  );
  return shown.map((one, i) => {
    const sql = i < bounds.statements ? statements.get(one.relation_ref) : undefined;
    const both = sql && { before: text(sql.before), after: text(sql.after) };
    return one.model && both ? { ...one, model: { ...one.model, sql: both } } : one;
  });
}

/** Code points of a clause, and of a whole statement, that are shown. */
const [fragment, wholeStatement] = [300, 20_000];

function modelShown(
  model: ModelDifference,
  { clauses, sql, isMasked }: Bounds,
): NonNullable<Shown['relations'][number]['model']> {
  const { statement, settings } = model;
  const all = clausesOf(model);
  const text = (one: string | null) => one && beginningOf(sql(one), fragment);
  const value = (one: string | null) => (isMasked ? null : one && beginningOf(one, fragment));
  return {
    category: statement === null || statement.kind === 'not_compared' ? null : statement.category,
    rows: concernsRows(model),
    not_compared: statement?.kind === 'not_compared' ? statement.reason : null,
    differences: all
      .slice(0, clauses)
      .map(({ kind, column, before, after }) => ({ kind, column, before: text(before), after: text(after) })),
    unlisted: Math.max(0, all.length - clauses),
    settings: settings
      .slice(0, 50)
      .map(({ name, before, after }) => ({ name, before: value(before), after: value(after) })),
  };
}

const edgesShown = (edges: Changes['edges'], { listed, verdicts }: Bounds): Shown['edges'] =>
  sortedBy(
    edges.map((edge) => ({
      change: edge.change,
      upstream: refOf(edge.from),
      downstream: refOf(edge.to),
      ...shownVerdict(verdicts.of(edge)),
      columns_added: mappings(edge.columnsAdded),
      columns_removed: mappings(edge.columnsRemoved),
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
