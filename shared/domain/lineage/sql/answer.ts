import { allKnown } from '../../base/collections.ts';
import type { Effect } from './effect.ts';
import { joinedReasons } from './join-analyses.ts';
import { boundedReason, reasonOf, type TracedRead, waysOf } from './provenance.ts';
import type { ReadRecords } from './recorder.ts';
import { starOf, wholeOf } from './row.ts';
import {
  childOf,
  distinctRelations,
  fieldsOf,
  nameOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  tableNameOf,
} from './syntax.ts';
import {
  type Column,
  type ColumnSource,
  type MissingSources,
  type OutputColumn,
  type PlacedColumns,
  type Reason,
  type RelationName,
  type Rest,
  type Row,
  reference,
  type Shape,
  type SqlAnalysis,
} from './types.ts';

/** The reason for an expression without an alias, which the dialect names in a way that is not known. */
export const unnamedColumn = 'the column has no name';

type StatementFacts = Pick<SqlAnalysis, 'reads' | 'indirect' | 'indirectUnresolvedReason' | 'indirectReasons'> & {
  readonly overlooked: string | null;
};

/** @param nodes every node of the statement's tree */
export function factsOf(nodes: readonly Syntax[], records: ReadRecords): StatementFacts {
  const unvisited = unvisitedIn(nodes, records.visited);
  const overlooked = unvisited === null ? null : 'a part of the statement is not supported';
  // What a procedure reads that an INSERT runs is not known.
  const isCalled = nodes.some(({ kind }) => kind === 'execute');
  return {
    reads: isCalled ? null : distinctRelations([...records.reads, ...(unvisited ?? [])]),
    indirect: [...records.indirect.values()],
    indirectUnresolvedReason: joinedReasons([...textsOf(records.indirectReasons.values()), overlooked]),
    indirectReasons: [...missingOf(records.indirectReasons.values()), ...missing(overlooked)],
    overlooked,
  };
}

export function answerOf({ kind, target, row }: Effect, { overlooked, ...facts }: StatementFacts): SqlAnalysis {
  return { statementKind: kind, target, outputs: outputsOf(row, overlooked), ...facts, unresolvedReason: null };
}

function outputsOf(row: Row, overlooked: string | null): readonly OutputColumn[] {
  return row.flatMap((item) => (item.kind === 'column' ? [outputOf(item, overlooked)] : restOutputs(item, overlooked)));
}

/** The columns that are known for certain, and that there may be more. */
function restOutputs({ known, reason, shape, of = [] }: Rest, overlooked: string | null): readonly OutputColumn[] {
  const star = overlooked === null ? starOf(shape) : null;
  const places = overlooked === null ? placesOf(shape) : null;
  const more = {
    column: null,
    sources: waysOf(wholeOf(of)).map((way) => sourceOf(way, new Map())),
    unresolvedReason: joinedReasons([reason, overlooked]),
    reasons: [{ text: boundedReason(reason), star, ...(places && { places }) }, ...missing(overlooked)],
  };
  return [...known.map((item) => outputOf(item, overlooked)), more];
}

/** The branches of a union by place; null if one of them is not just columns of relations. */
function placesOf(shape: Shape | null): PlacedColumns[][] | null {
  if (shape?.change.kind !== 'places') return null;
  const placed = (item: Row[number]): PlacedColumns | null => {
    const star = item.kind === 'rest' ? starOf(item.shape) : null;
    if (item.kind === 'rest') return star && { star };
    if (item.value.reasons.size > 0) return null;
    return { column: item.name?.text ?? null, sources: waysOf(item.value).map((way) => sourceOf(way, new Map())) };
  };
  return allKnown(shape.change.rows.map((row) => allKnown(row.map(placed))));
}

function outputOf({ name, value }: Column, overlooked: string | null): OutputColumn {
  const unnamed = name === null ? unnamedColumn : null;
  const texts = new Map<TracedRead['expression'], string | null>();
  return {
    column: name?.text ?? null,
    sources: waysOf(value).map((way) => sourceOf(way, texts)),
    unresolvedReason: joinedReasons([reasonOf(value), unnamed, overlooked]),
    reasons: [...missingOf(value.reasons.values()), ...missing(unnamed), ...missing(overlooked)],
  };
}

const textsOf = (reasons: Iterable<Reason>): string[] => [...new Set([...reasons].map(({ text }) => text))].sort();

const missing = (text: string | null): MissingSources[] => (text === null ? [] : [{ text }]);

const missingOf = (reasons: Iterable<Reason>): MissingSources[] =>
  [...reasons].map(({ text, options }) => ({
    text: boundedReason(text),
    ...(options && { options: options.flatMap(waysOf).map((way) => sourceOf(way, new Map())) }),
  }));

function sourceOf(way: TracedRead, texts: Map<TracedRead['expression'], string | null>): ColumnSource {
  const { expression, ...source } = way;
  if (!texts.has(expression)) texts.set(expression, expression?.text() ?? null);
  return { ...source, expression: texts.get(expression) ?? null };
}

/** Records the columns that a statement names and that no result or clause of it uses. */
export function recordReferences({ analysis, indirect, indirectReasons, named }: ReadRecords, results: Row): void {
  const whole = wholeOf(results);
  const columnOf = (key: string) => key.split('\0', 1)[0] ?? '';
  const used = new Set([...whole.columns.keys(), ...[...indirect.keys()].map(withoutSubtype)].map(columnOf));
  const known = new Set([...whole.reasons.keys(), ...[...indirectReasons.keys()].map(withoutSubtype)]);
  for (const { columns, reasons } of named) {
    const unused = new Map([...columns].filter(([key]) => !used.has(columnOf(key))));
    const missing = new Map([...reasons].filter(([key]) => !known.has(key)));
    analysis.recordIndirect({ columns: unused, reasons: missing, fields: null }, reference);
  }
}

const withoutSubtype = (key: string): string => key.slice(key.indexOf(' ') + 1);

/** What the analysis did not visit, so that no read is lost to an unknown form; null if it visited everything. */
function unvisitedIn(nodes: readonly Syntax[], visited: ReadonlySet<SyntaxFields>): readonly RelationName[] | null {
  const missed = nodes.filter(({ kind, fields }) => (kind === 'table' || kind === 'select') && !visited.has(fields));
  if (missed.length === 0) return null;
  const ctes = new Set(nodes.flatMap(({ fields }) => cteNames(fields)));
  const isCte = ([name, ...more]: RelationName) =>
    more.length === 0 && name !== undefined && ctes.has(name.text.toLowerCase());
  return missed.flatMap(({ kind, fields }) => {
    const relation = kind === 'table' ? tableNameOf(fields) : [];
    return relation.length === 0 || isCte(relation) ? [] : [relation];
  });
}

function cteNames(fields: SyntaxFields): readonly string[] {
  const clause = fieldsOf(fields['with']) ?? childOf(fields, 'with_')?.fields ?? {};
  return recordsOf(clause, 'ctes').flatMap((cte) => nameOf(cte['alias'])?.text.toLowerCase() ?? []);
}
