import { distinctRelations, relationKey } from './syntax.ts';
import type { ColumnSource, SqlAnalysis } from './types.ts';

export const noColumns = 'the statement is of a kind that has no columns';

/** Several statements are one answer where they write one relation. */
export function joined(statements: readonly SqlAnalysis[]): SqlAnalysis {
  const [first, ...more] = statements;
  if (first === undefined) return unresolved(noColumns, []);
  if (more.length === 0) return first;
  const writes = new Set(statements.map(({ target }) => relationKey(target ?? [])));
  if (writes.size > 1) return unresolved(`the text writes ${writes.size} relations`, allReads(statements));
  if (first.target === null) return unresolved(`the text holds ${statements.length} statements`, allReads(statements));
  const main = statements.find(({ outputs }) => outputs.length > 0) ?? first;
  return {
    ...main,
    outputs: outputsByName(statements),
    indirect: [...new Set(statements.map(({ indirect }) => indirect))].flat(),
    indirectUnresolvedReason: joinedReasons(statements.map((one) => one.indirectUnresolvedReason)),
    indirectReasons: [...new Set(statements.map((one) => one.indirectReasons))].flat(),
    unresolvedReason: joinedReasons(statements.map((one) => one.unresolvedReason)),
  };
}

function outputsByName(statements: readonly SqlAnalysis[]): SqlAnalysis['outputs'] {
  const groups = Map.groupBy(
    statements.flatMap(({ outputs }) => outputs),
    (output) => output.column?.toLowerCase() ?? output,
  );
  return [...groups.values()].map((outputs) => ({
    column: outputs[0]?.column ?? null,
    sources: distinctSources(outputs.flatMap(({ sources }) => sources)),
    unresolvedReason: joinedReasons(outputs.map((one) => one.unresolvedReason)),
    reasons: outputs.flatMap((one) => one.reasons),
  }));
}

function distinctSources(sources: readonly ColumnSource[]): readonly ColumnSource[] {
  const keyOf = ({ relation, column, field, type, subtype, masking }: ColumnSource) =>
    JSON.stringify([relationKey(relation), column, field, type, subtype, masking]);
  return [...new Map(sources.map((source) => [keyOf(source), source])).values()];
}

export function joinedReasons(reasons: readonly (string | null)[]): string | null {
  const provided = new Set(reasons.filter((reason) => reason !== null));
  return provided.size === 0 ? null : [...provided].join('; ');
}

export function allReads(statements: readonly SqlAnalysis[]): SqlAnalysis['reads'] {
  // The effects of one statement share their list.
  const known = new Set(statements.map(({ reads }) => reads));
  if (known.has(null)) return null;
  return distinctRelations([...known].flatMap((reads) => reads ?? []));
}

export function unresolved(reason: string, reads: SqlAnalysis['reads']): SqlAnalysis {
  return {
    statementKind: null,
    target: null,
    outputs: [],
    reads,
    indirect: [],
    indirectUnresolvedReason: null,
    indirectReasons: [],
    unresolvedReason: reason,
  };
}
