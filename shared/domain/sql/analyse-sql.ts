import { refusalOf } from './bounds.ts';
import type { Effect } from './effect.ts';
import { leavesOut } from './left-out.ts';
import { notesFor, TooMuchWork } from './notes.ts';
import { reasonOf, sourcesOf } from './provenance.ts';
import type { Column, Rest } from './row.ts';
import { scopeWithin } from './scope.ts';
import { effectOf } from './statement.ts';
import { type Syntax, syntaxOf } from './syntax.ts';
import type { OutputColumn, ParsedSql, RelationName, SqlAnalysis, SqlOptions, SqlParser } from './types.ts';
import { unvisitedIn } from './unvisited.ts';

/**
 * Column lineage of one SQL statement: which columns of which relations reach each output, and how.
 * Never throws for a statement: what is not understood is an `unresolvedReason`, never a guess.
 */
export function analyseSql(parser: SqlParser, statement: string, options: SqlOptions): SqlAnalysis {
  const refusal = refusalOf(statement);
  if (refusal !== null) return unresolved(refusal, null);
  const parsed = parser(statement, options.dialect);
  if (!parsed.ok) return unresolved(parsed.reason, null);
  return withinStack(() => answerOfAll(parsed, statement, options));
}

function answerOfAll(parsed: ParsedSql & { readonly ok: true }, statement: string, options: SqlOptions): SqlAnalysis {
  if (leavesOut(parsed, statement)) return unresolved('the SQL parser left out a part of the statement', null);
  const answers = parsed.statements.flatMap((value) => {
    const node = syntaxOf(value);
    const answer = node === null ? null : answerOf(node, options);
    return answer === null ? [] : [answer];
  });
  const [only] = answers;
  if (only === undefined) return unresolved('the statement is of a kind that has no columns', []);
  if (answers.length === 1) return only;
  return unresolved(
    `the text holds ${answers.length} statements`,
    answers.flatMap(({ reads }) => reads ?? []),
  );
}

/** The reason for an expression without an alias, which the dialect names in a way that is not known. */
export const unnamedColumn = 'the column has no name';

/** Null for a statement that has no columns to speak of, such as SET. */
function answerOf(statement: Syntax, options: SqlOptions): SqlAnalysis | null {
  const notes = notesFor(options);
  const effect = effectOf(notes.analysis, statement, scopeWithin(null, new Map()));
  return effect === null ? null : answered(effect, statement, notes);
}

function withinStack(answer: () => SqlAnalysis): SqlAnalysis {
  try {
    return answer();
  } catch (error) {
    // The stack's limit is reached by nesting that the parser still takes.
    if (error instanceof TooMuchWork || error instanceof RangeError)
      return unresolved('the statement is too complex', null);
    throw error;
  }
}

function answered(effect: Effect, statement: Syntax, notes: ReturnType<typeof notesFor>): SqlAnalysis {
  const unvisited = unvisitedIn(statement, notes.visited);
  const overlooked = unvisited === null ? null : 'a part of the statement is not understood';
  return {
    statementKind: effect.kind,
    target: effect.target,
    outputs: effect.row.map((item) => outputOf(item, overlooked)),
    reads: distinct([...notes.reads, ...(unvisited ?? [])]),
    indirect: [...notes.indirect.values()],
    unresolvedReason: null,
  };
}

function outputOf(item: Column | Rest, overlooked: string | null): OutputColumn {
  if (item.kind === 'rest') return { column: null, sources: [], unresolvedReason: joined([item.reason, overlooked]) };
  const unnamed = item.name === null ? unnamedColumn : null;
  return {
    column: item.name?.text ?? null,
    sources: sourcesOf(item.value),
    unresolvedReason: joined([reasonOf(item.value), unnamed, overlooked]),
  };
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

function unresolved(reason: string, reads: SqlAnalysis['reads']): SqlAnalysis {
  return { statementKind: null, target: null, outputs: [], reads, indirect: [], unresolvedReason: reason };
}
