import type { FromSource } from './effect.ts';
import { relationOfCall } from './from-call.ts';
import { elementSource } from './function-source.ts';
import { foldedName, partsOf } from './name-rules.ts';
import { type Analysis, type NameScope, sourceNamed } from './name-scope.ts';
import { readsOf, unknown } from './provenance.ts';
import { valueNamed } from './resolve-name.ts';
import { openRow, relationRow, wholeOf } from './row.ts';
import { relabelled } from './row-change.ts';
import { throughWithFields } from './struct.ts';
import { childOf, childrenOf, nameOf, namesOf, type Syntax, type SyntaxFields, tableNameOf, textOf } from './syntax.ts';
import type { RelationName, SqlName } from './types.ts';
import type { Row } from './values.ts';

/** What a name in FROM means: a CTE, an array of an earlier item, or a relation, which is then read. */
export function tableSource(analysis: Analysis, fields: SyntaxFields, scope: NameScope): FromSource {
  analysis.visit(fields);
  const path = relationPath(analysis, fields);
  const names = namesOf(fields, 'column_aliases');
  const alias = explicitAlias(analysis, fields);
  if (path.length === 0 || childOf(fields, 'identifier_func') !== null) return namedByExpression(alias);
  return namedSource(analysis, { path, alias, names }, scope);
}

/** A relation that reads as a call: `STREAM(t)`, or with a hint, `FROM t(NOLOCK)`. */
export function calledTable(analysis: Analysis, node: Syntax, scope: NameScope): FromSource | null {
  const path = relationOfCall(node);
  return path === null
    ? hintedTable(analysis, node, scope)
    : namedSource(analysis, { path, alias: null, names: [] }, scope);
}

function hintedTable(analysis: Analysis, node: Syntax, scope: NameScope): FromSource | null {
  const name = node.kind === 'function' ? textOf(node.fields, 'name') : null;
  const hints = childrenOf(node.fields, 'args').map(
    (argument) => nameOf(argument.fields['name'])?.text.toLowerCase() ?? '',
  );
  if (!analysis.rules.parenthesisedHints || name === null || hints.length === 0) return null;
  if (!hints.every((hint) => tableHints.has(hint))) return null;
  const path = name.split('.').map((text) => ({ text, quoted: false }));
  return namedSource(analysis, { path, alias: null, names: [] }, scope);
}

type Named = { readonly path: RelationName; readonly alias: SqlName | null; readonly names: readonly SqlName[] };

export function namedSource(analysis: Analysis, { path, alias, names }: Named, scope: NameScope): FromSource {
  const last = path.at(-1) ?? null;
  const shown = alias ?? last;
  const cte = scope.ctes.get(path.map((part) => foldedName(analysis.rules, part)).join('.'));
  if (cte?.row) {
    cte.used?.(analysis);
    const written = cte.used === undefined ? onlyRelation(cte.row) : path;
    return { alias: shown, relation: null, row: relabelled(cte.row, names), element: null, written };
  }
  if (isArrayInScope(analysis, path, scope)) {
    const value = valueNamed(analysis, path, scope);
    analysis.recordIndirect(value, 'JOIN');
    return elementSource(throughWithFields(value, 'TRANSFORMATION'), shown, names);
  }
  if (isDual(analysis, path)) return { alias: shown, relation: null, row: [], element: null };
  analysis.recordRead(path);
  return {
    alias: shown,
    relation: path,
    row: relabelled(relationRow(path, analysis.columnsOf(path)), names),
    element: null,
  };
}

/** The relation that all columns of a row come from; null where there are several. */
export function onlyRelation(row: Row): RelationName | null {
  const relations = new Map(
    readsOf(wholeOf(row)).map(({ relation }) => [JSON.stringify(relation.map(({ text }) => text)), relation]),
  );
  return relations.size === 1 ? ([...relations.values()][0] ?? null) : null;
}

/** The relation of one row that stands for none. */
function isDual({ rules, columnsOf }: Analysis, path: RelationName): boolean {
  const last = path.at(-1);
  const named = last?.text.toLowerCase() === 'dual' && (path.length === 1 || path.at(-2)?.text.toLowerCase() === 'sys');
  return rules.dual && named && columnsOf(path) === null;
}

function relationPath({ rules, dialect }: Analysis, fields: SyntaxFields): RelationName {
  const parts = tableNameOf(fields).map((part) => (versioned.has(dialect) ? withoutVersion(part) : part));
  return partsOf(rules, parts);
}

/** Delta's `t@v3` and `t@20240131000000000` are versions of one relation. */
const withoutVersion = ({ text, quoted }: SqlName): SqlName => ({ text: text.replace(/@(v\d+|\d{17})$/i, ''), quoted });

const versioned: ReadonlySet<string> = new Set(['databricks', 'spark']);

/** The parser takes ClickHouse's GLOBAL of a join for an alias. */
function explicitAlias({ dialect }: Analysis, fields: SyntaxFields): SqlName | null {
  const alias = nameOf(fields['alias']);
  return dialect === 'clickhouse' && alias?.text.toLowerCase() === 'global' && !alias.quoted ? null : alias;
}

function namedByExpression(alias: SqlName | null): FromSource {
  const reason = 'a relation is named by an expression';
  return { alias, relation: null, row: openRow(reason, unknown(reason)), element: null };
}

/** `FROM t, t.items`, and `FROM t.items` in a subquery: a path that starts with an alias is an array. */
function isArrayInScope({ rules, dialect }: Analysis, path: RelationName, scope: NameScope): boolean {
  const [first, ...more] = path;
  if (first === undefined || more.length === 0 || !correlatedArrays.has(dialect)) return false;
  // Where the dialect is unknown an outer alias is more likely the name of a schema.
  const within = dialect === 'ansi' ? { ...scope, outer: null } : scope;
  return sourceNamed(rules, within, [first]) !== null;
}

const correlatedArrays: ReadonlySet<string> = new Set(['ansi', 'bigquery', 'redshift']);

const tableHints: ReadonlySet<string> = new Set(
  `forceseek forcescan holdlock noexpand nolock nowait paglock readcommitted readcommittedlock readpast readuncommitted
  repeatableread rowlock serializable snapshot spatial_window_max_cells tablock tablockx updlock xlock`.split(/\s+/),
);
