import { foldedName, partsOf } from '../name-rules.ts';
import {
  childOf,
  fieldsOf,
  isQuery,
  listOf,
  nameOf,
  namesOf,
  nodesIn,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
} from '../syntax.ts';
import { isPlanHint, operands, printConditions, printValue, setFields } from './print-expression.ts';
import { columnName, readPrint, sourceNamed } from './print-name.ts';
import { limitKeys } from './print-order.ts';
import {
  type Clause,
  columnPrints,
  emptyScope,
  listedRelation,
  openRelation,
  type Print,
  type PrintedRelation,
  type PrintedSource,
  type Printing,
  type PrintScope,
  wholePrint,
} from './prints.ts';

/** A relation under other names of its columns. */
function renamed(printing: Printing, relation: PrintedRelation, names: readonly string[]): PrintedRelation {
  if (names.length === 0) return relation;
  const { print } = printing;
  if (!relation.isListed) return openRelation(print, print('renamed', wholePrint(print, relation), ...names));
  const columns = relation.columns.map((one, place) => ({ ...one, name: names[place] ?? one.name }));
  return listedRelation(relation.rows, columns);
}

export function withCtes(printing: Printing, clause: unknown, around: PrintScope): PrintScope {
  const fields = fieldsOf(clause);
  if (fields === null) return around;
  printing.spend(around.ctes.size);
  // Each CTE is printed before the next is added, so that it sees only those before it.
  const ctes = new Map(around.ctes);
  const scope = { ...around, ctes };
  const named: Print[] = [];
  for (const cte of recordsOf(fields, 'ctes')) {
    const alias = nameOf(cte['alias']);
    if (alias === null) continue;
    const name = foldedName(printing.rules, alias);
    const query = childOf(cte, 'this');
    // ClickHouse's `WITH expression AS name` is a value and no relation.
    if (query === null || !isQuery(query) || cte['alias_first'] === false) {
      const value = printValue(printing, cte['this'], scope);
      named.push(printing.print('named value', name, value));
      continue;
    }
    const relation = cteRelation(printing, { fields: cte, query, name }, scope, fields);
    printing.ctes.set(name, wholePrint(printing.print, relation));
    const opaque = openRelation(printing.print, printing.print('cte', printing.cteName(name)));
    ctes.set(name, printing.blocks ? opaque : relation);
  }
  // SEARCH and CYCLE of a recursive query: a cycle that is found earlier ends the rows.
  if (fieldsOf(fields['search'])) named.push(printing.print('search', printValue(printing, fields['search'], scope)));
  return { ...scope, named: [...around.named, ...named] };
}

type Cte = { readonly fields: SyntaxFields; readonly query: Syntax; readonly name: string };

function cteRelation(
  printing: Printing,
  { fields, query, name }: Cte,
  around: PrintScope,
  clause: SyntaxFields,
): PrintedRelation {
  const mayRecur = clause['recursive'] === true || printing.rules.implicitRecursion;
  const itself = openRelation(printing.print, printing.print('itself', name));
  const isRecursive = mayRecur && readsItself(query, name, printing);
  if (isRecursive) printing.spend(around.ctes.size);
  const scope = isRecursive ? { ...around, ctes: new Map([...around.ctes, [name, itself]]) } : around;
  const names = namesOf(fields, 'columns').map((one) => foldedName(printing.rules, one));
  const found = renamed(printing, printing.query(printing, query, scope, `with ${printing.cteName(name)}`), names);
  // Each of its columns may decide which rows the next round adds.
  return isRecursive
    ? { ...found, rows: printing.print('recursive', wholePrint(printing.print, found)), key: null }
    : found;
}

/** A CTE of a WITH RECURSIVE that reads itself; else the name is that of a relation outside. */
function readsItself(query: Syntax, name: string, { rules }: Printing): boolean {
  const paths = nodesIn(query.fields).flatMap(({ kind, fields }) => (kind === 'table' ? [tableNameOf(fields)] : []));
  return paths.some(
    ([first, ...more]) => first !== undefined && more.length === 0 && foldedName(rules, first) === name,
  );
}

/** Notes the columns that are read of a relation whose columns nobody lists: one of them may not be there. */
function noted({ print, columnsRead }: Printing, relation: PrintedRelation): PrintedRelation {
  if (relation.isListed) return relation;
  return {
    ...relation,
    column: (name) => {
      if (!relation.has?.has(name)) columnsRead.add(print('column read', relation.rows, name));
      return relation.column(name);
    },
  };
}

/** The relation that an item of FROM names: a CTE, or one outside of the statement. */
export function relationOfTable(printing: Printing, fields: SyntaxFields, scope: PrintScope): PrintedRelation {
  const { print, rules } = printing;
  const name = tableNameOf(fields);
  const folded = partsOf(rules, name).map((part) => foldedName(rules, part));
  const cte = folded.length === 1 ? scope.ctes.get(folded[0] ?? '') : undefined;
  const table = cte ?? noted(printing, printing.relation(name) ?? openRelation(print, print('table', ...folded)));
  // A path that begins with the name of another item may be a column of that item, with elements (BigQuery).
  const owner = folded.length > 1 ? sourceNamed(printing, folded[0] ?? '', scope) : null;
  const elements = owner && readPrint(printing, owner, owner.relation.rows);
  const base = elements === null ? table : openRelation(print, print('table or elements', table.rows, elements));
  const aliases = namesOf(fields, 'column_aliases').map((one) => foldedName(rules, one));
  const extras = setFields({ ...fields, hints: listOf(fields['hints']).filter((hint) => !isPlanHint(hint)) }, [
    'name',
    'schema',
    'catalog',
    'alias',
    'column_aliases',
    'identifier_func',
  ]);
  const read = renamed(printing, base, aliases);
  if (Object.keys(extras).length === 0) return read;
  return { ...read, rows: print('read with', read.rows, printValue(printing, extras, scope)), key: null };
}

type From = {
  readonly sources: readonly PrintedSource[];
  readonly clauses: readonly Clause[];
  readonly conditions: readonly Print[];
};

/** Joins that only pair rows and filter the pairs: their conditions count as those of WHERE. */
const pairing: ReadonlySet<string> = new Set(['Inner', 'Cross', 'Implicit']);
/** ClickHouse's words that choose among the pairs. */
const choosing: ReadonlySet<unknown> = new Set(['ANY', 'ASOF', 'SEMI', 'ANTI']);

export function printFrom(printing: Printing, fields: SyntaxFields, around: PrintScope, path: string): From {
  const { print } = printing;
  const sources: PrintedSource[] = [];
  const clauses: Clause[] = [];
  const conditions: Print[] = [];
  // An item and its condition are printed before the next item is added.
  const scope: PrintScope = { ...emptyScope, ctes: around.ctes, parent: around.parent, sources };
  const addSource = (item: unknown) => {
    const place = sources.length;
    const source = sourceOf(printing, item, scope, `${path}/from ${place}`);
    sources.push(source);
    clauses.push({ kind: 'source', key: String(place), column: null, print: source.relation.rows, text: [item] });
  };
  for (const item of listOf(fieldsOf(fields['from'])?.['expressions'])) addSource(item);
  const joins = recordsOf(fields, 'joins');
  const isPairing = (join: SyntaxFields) =>
    pairing.has(String(join['kind'])) && listOf(join['using']).length === 0 && !choosing.has(join['join_hint']);
  const merges = !printing.blocks && joins.every(isPairing);
  for (const join of joins) {
    addSource(join['this']);
    const on = join['on'] ? printConditions(printing, join['on'], scope) : [];
    const kept = printing.contentsOf !== null && !printing.blocks ? keyedJoin(printing, join, scope, on) : null;
    if (kept !== null) {
      sources.splice(-1, 1, kept);
      clauses.pop();
      continue;
    }
    if (merges) conditions.push(...on);
    else {
      const kind = isPairing(join) && !join['on'] ? 'Cross' : String(join['kind']);
      const using = namesOf(join, 'using').map((one) => foldedName(printing.rules, one));
      const rest = setFields(join, ['this', 'kind', 'on', 'using']);
      // A natural join compares all columns that have one name on both sides.
      const isNatural = kind.startsWith('Natural');
      const compared = isNatural ? sources.flatMap(({ relation }) => columnPrints(relation.columns)) : [];
      const printed = print('join', kind, ...on, '|', ...using, '|', ...compared, printValue(printing, rest, scope));
      const text = [
        `${kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()} join`,
        join['this'],
        ...(join['on'] ? ['on', join['on']] : []),
        ...(using.length > 0 ? [`using (${using.join(', ')})`] : []),
      ];
      clauses.push({ kind: 'join', key: `join ${sources.length - 1}`, column: null, print: printed, text });
    }
  }
  return { sources, clauses, conditions };
}

/**
 * The right side of a left join that finds at most one row, because a key of it equals columns of the other sources. Each
 * row of the left side is one row of the result, and only the columns of the right side depend on the join.
 */
function keyedJoin(
  printing: Printing,
  join: SyntaxFields,
  scope: PrintScope,
  on: readonly Print[],
): PrintedSource | null {
  const { print } = printing;
  const place = scope.sources.length - 1;
  const source = scope.sources[place];
  const rest = setFields(join, ['this', 'kind', 'on']);
  if (!source || join['kind'] !== 'Left' || Object.keys(rest).length > 0) return null;
  const key = source.relation.key?.() ?? null;
  if (key === null) return null;
  const own = (name: string) => {
    const column = source.relation.column(name);
    return column && readPrint(printing, { depth: 0, place }, column);
  };
  const equal = new Set(equalColumns(printing, join['on'], scope, own));
  if (!key.every((name) => equal.has(own(name) ?? ''))) return null;
  const { relation } = source;
  const joined = print('joined', relation.rows, ...on);
  const ofJoin = (column: Print): Print => print('of join', joined, column);
  const columns = relation.columns.map((one) => ({ ...one, print: ofJoin(one.print) }));
  const column = (name: string) => {
    const found = relation.column(name);
    return found && ofJoin(found);
  };
  return { ...source, relation: { ...relation, columns, column, key: null } };
}

/** The columns of the last source that a join condition holds equal to a column of another source. */
function equalColumns(
  printing: Printing,
  on: unknown,
  scope: PrintScope,
  own: (name: string) => Print | null,
): readonly Print[] {
  return operands('and', on).flatMap((one) => {
    const { kind, fields } = syntaxOf(one) ?? {};
    if (kind !== 'eq' || !fields) return [];
    const sides = [fields['left'], fields['right']].map((side) => {
      const name = columnName(printing, side);
      if (name === null) return null;
      const printed = printValue(printing, side, scope);
      return { printed, isOwn: printed === own(name) };
    });
    const [left, right] = sides;
    if (!left || !right || left.isOwn === right.isOwn) return [];
    return left.isOwn ? left.printed : right.printed;
  });
}

function sourceOf(printing: Printing, item: unknown, scope: PrintScope, path: string): PrintedSource {
  const { print, rules } = printing;
  const node = syntaxOf(item);
  const fields = node?.fields ?? {};
  const named = nameOf(fields['alias']);
  const alias = named && foldedName(rules, named);
  const outside: PrintScope = { ...emptyScope, ctes: scope.ctes, parent: scope.parent };
  if (node?.kind === 'table') {
    const own = tableNameOf(fields).at(-1);
    const relation = relationOfTable(printing, fields, scope);
    return { alias: alias ?? (own ? foldedName(rules, own) : null), relation };
  }
  const aliases = namesOf(fields, 'column_aliases').map((one) => foldedName(rules, one));
  const query = node && isQuery(node) ? node : null;
  if (query && node?.kind !== 'values') {
    const isLateral = fields['lateral'] === true;
    const around = isLateral ? { ...outside, parent: scope } : outside;
    const rest = setFields(fields, ['this', 'alias', 'column_aliases', 'lateral', 'with', ...limitKeys, 'order_by']);
    const unnamed = { kind: query.kind, fields: withoutName(query) };
    const known = renamed(printing, printing.query(printing, unnamed, around, path), aliases);
    const isPlain = Object.keys(rest).length === 0 || query.kind !== 'subquery';
    const rows = isPlain ? known.rows : print('read with', known.rows, printValue(printing, rest, scope));
    if (printing.blocks) return { alias, relation: openRelation(print, print('derived', isLateral ? 'lateral' : '')) };
    return { alias, relation: isPlain ? known : { ...known, rows, key: null } };
  }
  const inner = node?.kind === 'alias' ? fields['this'] : item;
  const rows = print('rows of', printValue(printing, withoutAlias(inner), scope), ...aliases);
  return { alias, relation: openRelation(print, rows) };
}

const withoutName = ({ kind, fields }: Syntax): SyntaxFields =>
  kind === 'subquery' ? { ...fields, alias: null, column_aliases: [] } : fields;

function withoutAlias(item: unknown): unknown {
  const node = syntaxOf(item);
  return node && nameOf(node.fields['alias']) !== null ? { [node.kind]: { ...node.fields, alias: null } } : item;
}
