import { parsedScript } from './parse-script.ts';
import { analysesOf, type ScriptAnalysis } from './script.ts';
import type { ColumnSource, RelationName, SqlAnalysis, SqlOptions, SqlParser } from './types.ts';

/**
 * Column lineage of the one statement that a text holds, or of several that write the same relation: which columns of
 * which relations reach each output, and how. Never throws for a text: what is not known has a reason.
 */
export function analyseSql(parser: SqlParser, text: string, options: SqlOptions): SqlAnalysis {
  const { statements, unsupported } = analysed(parser, text, options);
  const [first] = statements;
  if (first === undefined)
    return unsupported === null ? unresolved(noColumns, []) : unresolved(unsupported.reason, unsupported.reads);
  const reads = unsupported === null ? allReads(statements) : null;
  const known = { ...joined(statements), reads };
  if (known.unresolvedReason !== null) return unresolved(known.unresolvedReason, reads);
  return unsupported === null ? known : unresolved(unsupported.reason, null);
}

/** The same of each relation that a text writes and each query whose result it returns, in their order. */
export function analyseScript(parser: SqlParser, text: string, options: SqlOptions): readonly SqlAnalysis[] {
  const { statements, written, unsupported } = analysed(parser, text, options);
  const failed = unsupported === null ? [] : [unresolved(unsupported.reason, unsupported.reads)];
  return [...written, ...statements, ...failed];
}

const noColumns = 'the statement is of a kind that has no columns';

function analysed(parser: SqlParser, text: string, options: SqlOptions): ScriptAnalysis {
  const script = parsedScript(parser, text, options.dialect);
  if (!script.ok) return { statements: [], written: [], unsupported: { reason: script.reason, reads: null } };
  return analysesOf(parser, script.statements, options);
}

/** Several statements are one answer where they write one relation. */
function joined(statements: readonly SqlAnalysis[]): SqlAnalysis {
  const [first, ...more] = statements;
  if (first === undefined) return unresolved(noColumns, []);
  if (more.length === 0) return first;
  const writes = new Set(statements.map(({ target }) => nameKey(target ?? [])));
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
  const keyOf = ({ relation, column, type, subtype, masking }: ColumnSource) =>
    JSON.stringify([relation.map(({ text }) => text), column, type, subtype, masking]);
  return [...new Map(sources.map((source) => [keyOf(source), source])).values()];
}

function joinedReasons(reasons: readonly (string | null)[]): string | null {
  const given = new Set(reasons.filter((reason) => reason !== null));
  return given.size === 0 ? null : [...given].join('; ');
}

function allReads(statements: readonly SqlAnalysis[]): SqlAnalysis['reads'] {
  // The effects of one statement share their list.
  const known = new Set(statements.map(({ reads }) => reads));
  if (known.has(null)) return null;
  return [...new Map([...known].flatMap((reads) => reads ?? []).map((read) => [nameKey(read), read])).values()];
}

const nameKey = (relation: RelationName): string => JSON.stringify(relation.map(({ text }) => text));

function unresolved(reason: string, reads: SqlAnalysis['reads']): SqlAnalysis {
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
