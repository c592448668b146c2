import type { Effect } from './effect.ts';
import { reasonOf, type Way, waysOf } from './provenance.ts';
import type { Records } from './recorder.ts';
import type { Column, Rest, Row } from './row.ts';
import type { Syntax } from './syntax.ts';
import type { ColumnEffect, ColumnSource, OutputColumn, RelationName, SqlAnalysis } from './types.ts';
import { unvisitedIn } from './unvisited.ts';

/** The reason for an expression without an alias, which the dialect names in a way that is not known. */
export const unnamedColumn = 'the column has no name';

/** What holds for every effect of a statement. */
type StatementFacts = Pick<SqlAnalysis, 'reads' | 'indirect' | 'indirectUnresolvedReason'> & {
  /** Why any output may be incomplete. */
  readonly overlooked: string | null;
};

export function factsOf(statement: Syntax, records: Records): StatementFacts {
  const unvisited = unvisitedIn(statement, records.visited);
  const overlooked = unvisited === null ? null : 'a part of the statement is not supported';
  return {
    reads: distinct([...records.reads, ...(unvisited ?? [])]),
    indirect: [...records.indirect.values()],
    indirectUnresolvedReason: joined([...[...records.indirectReasons].sort(), overlooked]),
    overlooked,
  };
}

/** The analysis of one effect of a statement. */
export function answerOf({ kind, target, row }: Effect, { overlooked, ...facts }: StatementFacts): SqlAnalysis {
  return { statementKind: kind, target, outputs: outputsOf(row, overlooked), ...facts, unresolvedReason: null };
}

function outputsOf(row: Row, overlooked: string | null): readonly OutputColumn[] {
  return row.flatMap((item) => (item.kind === 'column' ? [outputOf(item, overlooked)] : restOutputs(item, overlooked)));
}

/** The columns that are known for certain, and that there may be more. */
function restOutputs({ known, reason }: Rest, overlooked: string | null): readonly OutputColumn[] {
  const more = { column: null, sources: [], unresolvedReason: joined([reason, overlooked]) };
  return [...known.map((item) => outputOf(item, overlooked)), more];
}

function outputOf({ name, value }: Column, overlooked: string | null): OutputColumn {
  const unnamed = name === null ? unnamedColumn : null;
  const texts = new Map<Way['expression'], string | null>();
  return {
    column: name?.text ?? null,
    sources: waysOf(value).map((way) => sourceOf(way, name?.text ?? null, texts)),
    unresolvedReason: joined([reasonOf(value), unnamed, overlooked]),
  };
}

function sourceOf(way: Way, output: string | null, texts: Map<Way['expression'], string | null>): ColumnSource {
  const { expression, ...source } = way;
  if (!texts.has(expression)) texts.set(expression, expression?.text() ?? null);
  return { ...source, change: changeOf(way, output), expression: texts.get(expression) ?? null };
}

function changeOf({ subtype, column }: Way, output: string | null): ColumnEffect {
  if (subtype === 'AGGREGATION') return 'aggregated';
  if (subtype !== 'IDENTITY') return 'derived';
  return output === null || output.toLowerCase() === column.toLowerCase() ? 'passthrough' : 'renamed';
}

function joined(reasons: readonly (string | null)[]): string | null {
  const given = reasons.filter((reason) => reason !== null);
  return given.length === 0 ? null : given.join('; ');
}

function distinct(relations: readonly RelationName[]): readonly RelationName[] {
  return [
    ...new Map(relations.map((relation) => [JSON.stringify(relation.map(({ text }) => text)), relation])).values(),
  ];
}
