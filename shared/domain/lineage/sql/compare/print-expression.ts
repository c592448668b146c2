import { memoised } from '../../../base/caching.ts';
import { foldedName } from '../name-rules.ts';
import {
  childrenOf,
  fieldsOf,
  isQuery,
  nameOf,
  nodesIn,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  textOf,
  wordSet,
} from '../syntax.ts';
import type { SqlName } from '../types.ts';
import { printColumn } from './print-name.ts';
import { emptyScope, type Print, type Printing, type PrintScope, wholePrint } from './prints.ts';

/** Fields that say how something was written, and not what it means. */
const spelling =
  wordSet(`span alias_explicit_as alias_keyword alias_first double_colon_syntax kind_text start_side_text end_side_text
  inferred_type integer_spelling explicit_asc parenthesized nesting_group use_inner_keyword use_outer_keyword unit_after_size`);
const isSpelling = memoised(1_000, (key: string): boolean => spelling.has(key) || key.includes('comments'));
const isEmptyField = (key: string, value: unknown): boolean =>
  value === null || isSpelling(key) || (Array.isArray(value) && value.length === 0);

/** A comparison asks this of each node several times. */
const nonEmptyKeys = (fields: SyntaxFields, without: readonly string[]): string[] =>
  Object.keys(fields).filter((key) => !isEmptyField(key, fields[key]) && !without.includes(key));

/** Hints on indexes and locks, but not those that read rows of open transactions or skip locked ones, choose no rows. */
export function isPlanHint(hint: unknown): boolean {
  const node = syntaxOf(hint);
  if (node?.kind === 'index_table_hint' || textOf(node?.fields ?? {}, 'name')?.includes('INDEXED')) return true;
  const words = node === null ? [] : childrenOf(node.fields, 'expressions').map(({ fields }) => textOf(fields, 'this'));
  return node?.kind === 'with_table_hint' && !words.some((word) => choosingHints.has(word?.toLowerCase() ?? ''));
}

const choosingHints = wordSet('nolock readuncommitted readpast');

/** Fields whose words are keywords or names of functions and types: their case says nothing. */
export const caseless = wordSet('name original_name kind unit field method direction data_type type side');

export function printValue(printing: Printing, value: unknown, scope: PrintScope, key = ''): Print {
  const { print, rules } = printing;
  if (Array.isArray(value)) return print('list', ...value.map((one) => printValue(printing, one, scope, key)));
  if (typeof value === 'string') return print('text', caseless.has(key) ? value.toLowerCase() : value);
  const fields = fieldsOf(value);
  if (fields === null) return print('value', String(value));
  const name = identifierIn(fields);
  if (name !== null) return print('name', foldedName(rules, name));
  const node = nodeIn(fields);
  return node === null ? printFields(printing, fields, scope) : printNode(printing, node, scope);
}

/** The node that a record is. A record with one field that holds a list or a word is none. */
export function nodeIn(fields: SyntaxFields): Syntax | null {
  const node = syntaxOf(fields);
  const value = node && fields[node.kind];
  return node !== null && (value === undefined || value === null || fieldsOf(value) !== null) ? node : null;
}

/** The name that a record is. */
export function identifierIn(fields: SyntaxFields): SqlName | null {
  const text = fields['name'];
  return typeof text === 'string' && 'quoted' in fields ? { text, quoted: fields['quoted'] === true } : null;
}

export const nonEmptyFields = (fields: SyntaxFields, without: readonly string[] = []): SyntaxFields =>
  picked(fields, nonEmptyKeys(fields, without));

/** Those that are not false either. */
export const setFields = (fields: SyntaxFields, without: readonly string[] = []): SyntaxFields =>
  picked(
    fields,
    nonEmptyKeys(fields, without).filter((key) => fields[key] !== false),
  );

/** A loop: entries of each would be most of the work. The parser names all fields, so that none is `__proto__`. */
function picked(fields: SyntaxFields, keys: readonly string[]): SyntaxFields {
  const result: Record<string, unknown> = {};
  for (const key of keys) result[key] = fields[key];
  return result;
}

function printFields(
  printing: Printing,
  fields: SyntaxFields,
  scope: PrintScope,
  without: readonly string[] = [],
): Print {
  const keys = nonEmptyKeys(fields, without).sort();
  return printing.print('fields', ...keys.flatMap((key) => [key, printValue(printing, fields[key], scope, key)]));
}

function printNode(printing: Printing, node: Syntax, scope: PrintScope): Print {
  const { print } = printing;
  const { kind, fields } = node;
  const special = printers.get(kind)?.(printing, fields, scope);
  if (special) return special;
  if (isQuery(node)) return wholePrint(print, printing.query({ ...printing, blocks: null }, node, inner(scope)));
  if (kind === 'literal') return print('literal', String(fields['literal_type']), JSON.stringify(fields['value']));
  return print('node', kind, printFields(printing, fields, scope));
}

/** The scope of a subquery: it may read the sources around it. */
const inner = (scope: PrintScope): PrintScope => ({ ...emptyScope, ctes: scope.ctes, parent: scope });

type Printer = (printing: Printing, fields: SyntaxFields, scope: PrintScope) => Print | null;

const printers: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['column', printColumn],
  ['pivot', printPivot],
  ['table', (printing, fields, scope) => wholePrint(printing.print, printing.table(printing, fields, scope))],
  ['paren', (printing, fields, scope) => printValue(printing, fields['this'], scope)],
  ['and', (printing, fields, scope) => printSet(printing, 'and', { and: fields }, scope)],
  ['or', (printing, fields, scope) => printSet(printing, 'or', { or: fields }, scope)],
  ['eq', (printing, fields, scope) => printPair(printing, 'eq', fields, scope)],
  ['neq', (printing, fields, scope) => printPair(printing, 'neq', fields, scope)],
  ['gt', (printing, fields, scope) => printPair(printing, 'lt', swapped(fields), scope)],
  ['gte', (printing, fields, scope) => printPair(printing, 'lte', swapped(fields), scope)],
  ['lt', (printing, fields, scope) => printPair(printing, 'lt', fields, scope)],
  ['lte', (printing, fields, scope) => printPair(printing, 'lte', fields, scope)],
  ['not', printNot],
  ['in', printIn],
  ['between', printBetween],
  ['case', printCase],
  ['coalesce', printCoalesce],
  ['count', printCount],
  ['star', printStar],
  ['window_function', printWindowFunction],
]);

/** A comparison with its operands in the other order. */
export const swapped = (fields: SyntaxFields): SyntaxFields => ({
  ...fields,
  left: fields['right'],
  right: fields['left'],
});

/** The operands of nested ANDs or ORs, whose order and repetition say nothing. */
export function operands(kind: string, value: unknown): readonly unknown[] {
  const found: unknown[] = [];
  // A long chain is as deep as it is long.
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    const node = syntaxOf(one);
    if (node?.kind === 'paren') open.push(node.fields['this']);
    else if (node?.kind === kind) open.push(node.fields['right'], node.fields['left']);
    else found.push(one);
  }
  return found;
}

function printSet(printing: Printing, kind: 'and' | 'or', value: unknown, scope: PrintScope): Print {
  const prints = new Set(operands(kind, value).map((one) => printValue(printing, one, scope)));
  const [only] = prints;
  return prints.size === 1 && only !== undefined ? only : printing.print(kind, ...[...prints].sort());
}

/** The conditions that must all hold, each once. */
export function printConditions(printing: Printing, value: unknown, scope: PrintScope): Print[] {
  const all = operands('and', value).flatMap((one) => {
    const node = syntaxOf(one);
    const bare = node?.kind === 'paren' ? syntaxOf(node.fields['this']) : node;
    if (bare?.kind === 'between' && bare.fields['not'] !== true && !isSymmetric(bare.fields))
      return boundsOf(printing, bare.fields, scope);
    return [printValue(printing, one, scope)];
  });
  return [...new Set(all)].sort();
}

function printPair(printing: Printing, kind: string, fields: SyntaxFields, scope: PrintScope): Print {
  const commutes = kind === 'eq' || kind === 'neq';
  const sides = [printValue(printing, fields['left'], scope), printValue(printing, fields['right'], scope)];
  const rest = printFields(printing, fields, scope, ['left', 'right']);
  return printing.print(kind, ...(commutes ? sides.sort() : sides), rest);
}

/** `not a = b` is `a <> b`; `not a is null` is `a is not null`; `not a in (…)` is `a not in (…)`. */
function printNot(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print {
  const { print } = printing;
  const outer = syntaxOf(fields['this']);
  const node = outer?.kind === 'paren' ? syntaxOf(outer.fields['this']) : outer;
  if (node?.kind === 'eq') return printValue(printing, { neq: node.fields }, scope);
  if (node?.kind === 'neq') return printValue(printing, { eq: node.fields }, scope);
  if (node?.kind === 'is_null' || node?.kind === 'in' || node?.kind === 'between')
    return printValue(printing, { [node.kind]: { ...node.fields, not: node.fields['not'] !== true } }, scope);
  return print('not', printValue(printing, fields['this'], scope));
}

function printIn(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print {
  const list = Array.isArray(fields['expressions']) ? fields['expressions'] : [];
  const values = [...new Set(list.map((one) => printValue(printing, one, scope)))].sort();
  const rest = printFields(printing, { ...fields, not: fields['not'] === true }, scope, ['expressions']);
  return printing.print('in', ...values, rest);
}

const isSymmetric = (fields: SyntaxFields): boolean => fields['symmetric'] === true;

function boundsOf(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print[] {
  const { this: value, low, high } = fields;
  return [
    printValue(printing, { lte: { left: low, right: value } }, scope),
    printValue(printing, { lte: { left: value, right: high } }, scope),
  ];
}

function printBetween(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print | null {
  if (isSymmetric(fields)) return null;
  const bounds = printing.print('and', ...boundsOf(printing, fields, scope).sort());
  return fields['not'] === true ? printing.print('not', bounds) : bounds;
}

/** Without ELSE a CASE gives null. */
function printCase(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print | null {
  const isNull = syntaxOf(fields['else_'])?.kind === 'null';
  return isNull ? printNode(printing, { kind: 'case', fields: { ...fields, else_: null } }, scope) : null;
}

function printCoalesce(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print {
  return printing.print('coalesce', printFields(printing, fields, scope, ['original_name']));
}

/** `count(1)` counts rows as `count(*)` does. */
function printCount(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print {
  const counted = syntaxOf(fields['this']);
  const isNumber = counted?.kind === 'literal' && counted.fields['literal_type'] === 'number';
  const rows = isNumber && fields['distinct'] !== true ? { ...fields, this: null, star: true } : fields;
  return printing.print('count', printFields(printing, rows, scope, ['original_name']));
}

function printStar(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print {
  const qualifier = nameOf(fields['table']);
  const alias = qualifier && foldedName(printing.rules, qualifier);
  const prints = scope.sources.flatMap((source, place) =>
    alias === null || source.alias === alias
      ? [printing.print('of', String(place), wholePrint(printing.print, source.relation))]
      : [],
  );
  return printing.print('star', ...prints, printFields(printing, fields, scope, ['table']));
}

/** A named window counts as what it is defined as. */
function printWindowFunction(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print | null {
  const over = fieldsOf(fields['over']);
  const name = nameOf(over?.['window_name']);
  const named = name && scope.windows.get(foldedName(printing.rules, name));
  if (!over || !named) return null;
  const whole = { ...over, ...named, ...nonEmptyFields(over), window_name: named['window_name'] ?? null };
  return printNode(printing, { kind: 'window_function', fields: { ...fields, over: whole } }, scope);
}

/** The parser takes the relation of DuckDB's `PIVOT t ON …` for a column. The order of values is that of columns. */
function printPivot(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print {
  const read = syntaxOf(fields['this']);
  const { name, table, schema } = read?.kind === 'column' ? read.fields : {};
  const relation = name ? { table: { name, schema: table, catalog: schema } } : fields['this'];
  const lists = nodesIn([fields['expressions'], fields['fields']]).filter(({ kind }) => kind === 'in');
  const values = lists.map((list) => printValue(printing, list.fields['expressions'], scope));
  return printing.print('pivot', printFields(printing, { ...fields, this: relation }, scope), ...values);
}
