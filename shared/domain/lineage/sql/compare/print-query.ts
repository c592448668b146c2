import { withSetOperation } from '../set-operations.ts';
import { childOf, fieldsOf, holds, isQuery, type Syntax, type SyntaxFields } from '../syntax.ts';
import { printConditions, printValue, setFields } from './print-expression.ts';
import { keyOf } from './print-key.ts';
import { addGrouping, printItems, windowsOf } from './print-list.ts';
import { addLimits, limited } from './print-order.ts';
import { printFrom, withCtes } from './print-relation.ts';
import {
  type Clause,
  type ClauseKind,
  emptyScope,
  type Items,
  listedRelation,
  openRelation,
  type Print,
  type PrintedColumn,
  type PrintedRelation,
  type Printing,
  type PrintScope,
  wholePrint,
} from './prints.ts';

export function printQuery(printing: Printing, node: Syntax, around: PrintScope, path = 'main'): PrintedRelation {
  const { kind, fields } = node;
  const within = withCtes(printing, fields['with'], around);
  const bare = { kind, fields: { ...fields, with: null } };
  switch (kind) {
    case 'select': {
      const normalized = withSetOperation(bare);
      if (normalized === null) return printSelect(printing, bare.fields, within, path);
      return printSetOperation(printing, { ...normalized, fields: { ...normalized.fields, with: null } }, within, path);
    }
    case 'union':
    case 'intersect':
    case 'except':
      return printSetOperation(printing, bare, within, path);
    case 'subquery':
    case 'paren':
    case 'cte':
    case 'with': {
      const query = childOf(fields, 'this');
      if (query === null || !isQuery(query)) break;
      return limited(printing, printQuery(printing, query, within, path), bare.fields, within, path);
    }
    case 'pivot':
      return openRelation(printing.print, printValue(printing, { pivot: bare.fields }, within));
  }
  return openRelation(printing.print, printValue(printing, { opaque: { [kind]: fields } }, within));
}

function printSelect(printing: Printing, fields: SyntaxFields, around: PrintScope, path: string): PrintedRelation {
  const { print } = printing;
  const { sources, clauses: from, conditions } = printFrom(printing, fields, around, path);
  const { ctes, parent } = around;
  const base: PrintScope = { ...emptyScope, ctes, parent, sources, windows: windowsOf(printing.rules, fields) };
  const items = printItems(printing, fields, base);
  const inList: PrintScope = { ...base, proven: items.proven };
  const byAlias: PrintScope = { ...inList, aliases: items.aliases };
  const { columns } = items;
  const clauses: Clause[] = [...from];
  const add = (kind: ClauseKind, key: string, printed: Print, text: readonly unknown[]) =>
    clauses.push({ kind, key, column: null, print: printed, text });
  const where = fieldsOf(fields['where_clause']);
  const inWhere = printing.rules.listAliases === 'never' ? inList : byAlias;
  const filters = [...conditions, ...(where ? printConditions(printing, where['this'], inWhere) : [])];
  if (filters.length > 0) add('filter', 'where', print('and', ...[...new Set(filters)].sort()), [where?.['this']]);
  for (const key of ['having', 'qualify'] as const) {
    const clause = fieldsOf(fields[key]);
    if (clause)
      add('filter', key, print('and', ...printConditions(printing, clause['this'], byAlias)), [clause['this']]);
  }
  const grouped = addGrouping(printing, fields, byAlias, items, add);
  const isTop = path === 'main' && around.parent === null;
  addLimits(printing, fields, { ...byAlias, aliasesCome: 'first' }, { add, isTop, columns });
  for (const [key, value] of Object.entries(setFields(fields, handled))) {
    const text = [key.replaceAll('_', ' '), value];
    add(otherKinds.get(key) ?? 'other', key, printValue(printing, value, byAlias), text);
  }
  if (around.named.length > 0) add('other', 'named values', print('named', ...around.named), []);
  printing.blocks?.push({ path, clauses: [...clauses, ...columns.map(clauseOfColumn)] });
  const key = keyOf(printing, { fields, items, sources, clauses, scope: inWhere, grouped });
  const [only, ...others] = sources;
  const isPlain = only !== undefined && others.length === 0 && clauses.length === 1 && from.length === 1;
  if (isPlain && !printing.blocks) return { ...passedOn(items, only.relation), key };
  const rows = print(
    'select',
    ...clauses.flatMap((one) => [one.kind === 'other' ? one.key : `${one.kind} ${one.key}`, one.print]),
  );
  return { rows, columns, column: items.column, isListed: columns.every(({ name }) => name !== null), key };
}

const clauseOfColumn = ({ name, print, node }: PrintedColumn, place: number): Clause => ({
  kind: holds(node, ({ kind }) => kind === 'window_function') ? 'window' : 'formula',
  key: name === null ? `item ${place}` : `column ${name}`,
  column: name,
  print,
  text: [node],
});

/** Clauses that few dialects have. */
const otherKinds: ReadonlyMap<string, ClauseKind> = new Map([
  ['prewhere', 'filter'],
  ['sample', 'filter'],
  ['connect', 'filter'],
  ['limit_by', 'filter'],
  ['lateral_views', 'source'],
]);

/** Fields of SELECT that are printed one by one, or only choose a plan; the others are compared as they are. */
const handled: readonly string[] =
  `expressions from joins where_clause having qualify group_by distinct distinct_on windows with
  limit offset fetch top order_by operation_modifiers option`.split(/\s+/);

/** A query that only chooses and computes columns has the rows of its source. */
function passedOn({ columns, column, passed }: Items, { rows }: PrintedRelation): PrintedRelation {
  const inner = (one: Print): Print => passed.get(one) ?? one;
  return {
    rows,
    columns: columns.map((one) => ({ ...one, print: inner(one.print) })),
    column: (name) => {
      const found = column(name);
      return found && inner(found);
    },
    isListed: columns.every(({ name }) => name !== null),
  };
}

const operands = 'left right all distinct with limit offset fetch order_by'.split(' ');

/** Prints UNION, INTERSECT or EXCEPT. Only of UNION ALL the rows are those of the branches, whatever their columns are. */
function printSetOperation(printing: Printing, node: Syntax, around: PrintScope, path: string): PrintedRelation {
  const { print } = printing;
  const { kind, fields } = node;
  const isAll = fields['all'] === true;
  const queries = branchesOf(node);
  const all = queries.map((query, place) => printing.query(printing, query, around, `${path}/branch ${place}`));
  const changes = setFields(fields, operands);
  const isPlain = Object.keys(changes).length === 0;
  const flags = print('set operation', kind, isAll ? 'all' : 'distinct', printValue(printing, changes, around));
  printing.blocks?.push({ path, clauses: ownClauses(printing, flags, node, queries) });
  const byContent = (a: PrintedRelation, b: PrintedRelation) => (wholePrint(print, a) < wholePrint(print, b) ? -1 : 1);
  const branches = printing.ordersBranches && kind === 'union' && isPlain ? all.toSorted(byContent) : all;
  const wholes = branches.map((one) => wholePrint(print, one));
  const isByRows = kind === 'union' && isAll;
  const rows = print(flags, ...(isByRows ? branches.map((one) => one.rows) : wholes));
  const [first] = all;
  const isByPlace = isPlain && all.every((one) => one.isListed && one.columns.length === first?.columns.length);
  const ofPlace = ({ name }: PrintedColumn, place: number): PrintedColumn => {
    const prints = branches.map((one) => one.columns[place]?.print ?? null);
    return { name, print: print('of branches', ...prints), node: null };
  };
  const column = (name: string) => print('of branches', name, ...wholes);
  const found = isByPlace
    ? listedRelation(rows, first?.columns.map(ofPlace) ?? [])
    : { ...openRelation(print, print('of branches', rows, ...wholes)), rows, column };
  return limited(printing, found, fields, around, path);
}

/** The branches of a chain of UNION ALL at once; of other operations the two. */
function branchesOf({ kind, fields }: Syntax): readonly Syntax[] {
  const [left, right] = [childOf(fields, 'left'), childOf(fields, 'right')];
  const isChained = kind === 'union' && fields['all'] === true && left?.kind === 'union' && isPlainUnionAll(left);
  const first = left === null ? [] : isChained ? branchesOf(left) : [left];
  return right === null ? first : [...first, right];
}

const isPlainUnionAll = ({ fields }: Syntax): boolean =>
  fields['all'] === true && Object.keys(setFields(fields, ['left', 'right', 'all'])).length === 0;

function ownClauses(printing: Printing, flags: string, { kind, fields }: Syntax, queries: readonly Syntax[]): Clause[] {
  const words = `${kind}${fields['all'] === true ? ' all' : ''}`;
  const count = printing.print(String(queries.length));
  const text = [`${queries.length} branches of ${words}`];
  return [
    { kind: 'grouping', key: 'set operation', column: null, print: flags, text: [words] },
    { kind: 'source', key: 'branches', column: null, print: count, text },
  ];
}
