import { isAggregate, isRowGenerator } from '../functions.ts';
import { withSetOperation } from '../misplaced-set-operation.ts';
import { foldedName, partsOf } from '../name-rules.ts';
import {
  childOf,
  fieldsOf,
  isQuery,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
} from '../syntax.ts';
import {
  callName,
  emptyScope,
  holds,
  type PrintedSource,
  type PrintScope,
  printConditions,
  printValue,
  readPrint,
  saidFields,
} from './print-expression.ts';
import { printSetOperation } from './print-set-operation.ts';
import {
  type Clause,
  type ClauseKind,
  type Print,
  type PrintedColumn,
  type PrintedRelation,
  type Printing,
  type PrintTable,
  wholePrint,
} from './prints.ts';

/** Prints a query. `around` has the CTEs and outer sources that it may read. */
export function printQuery(printing: Printing, node: Syntax, around: PrintScope, path = 'main'): PrintedRelation {
  const { kind, fields } = node;
  const within = withCtes(printing, fields['with'], around);
  const bare = { kind, fields: { ...fields, with: null } };
  switch (kind) {
    case 'select': {
      const meant = withSetOperation(bare);
      if (meant === null) return printSelect(printing, bare.fields, within, path);
      return printSetOperation(printing, { ...meant, fields: { ...meant.fields, with: null } }, within, path);
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
  }
  return openRelation(
    printing.print,
    printValue({ ...printing, blocks: null }, { opaque: { [kind]: fields } }, within),
  );
}

/** A relation whose columns nobody lists. */
export const openRelation = (print: PrintTable, rows: Print): PrintedRelation => ({
  rows,
  columns: [{ name: null, print: print('all columns', rows), node: null }],
  column: (name) => print('column', name),
  isListed: false,
});

/** A relation under other names of its columns. */
function renamed(printing: Printing, relation: PrintedRelation, names: readonly string[]): PrintedRelation {
  if (names.length === 0) return relation;
  const { print } = printing;
  if (!relation.isListed) return openRelation(print, print('renamed', wholePrint(print, relation), ...names));
  const columns = relation.columns.map((one, place) => ({ ...one, name: names[place] ?? one.name }));
  return listedRelation(relation.rows, columns);
}

export const listedRelation = (rows: Print, columns: readonly PrintedColumn[]): PrintedRelation => ({
  rows,
  columns,
  column: (name) => columns.find((one) => one.name === name)?.print ?? null,
  isListed: true,
});

function withCtes(printing: Printing, clause: unknown, around: PrintScope): PrintScope {
  const fields = fieldsOf(clause);
  if (fields === null) return around;
  const ctes = new Map(around.ctes);
  const named: Print[] = [];
  for (const cte of recordsOf(fields, 'ctes')) {
    const alias = nameOf(cte['alias']);
    if (alias === null) continue;
    const name = foldedName(printing.rules, alias);
    const query = childOf(cte, 'this');
    // ClickHouse's `WITH expression AS name` is a value and no relation.
    if (query === null || !isQuery(query) || cte['alias_first'] === false) {
      const value = printValue({ ...printing, blocks: null }, cte['this'], { ...around, ctes: new Map(ctes) });
      named.push(printing.print('named value', name, value));
      continue;
    }
    const relation = cteRelation(printing, { fields: cte, query, name }, { ...around, ctes: new Map(ctes) }, fields);
    printing.ctes.set(name, wholePrint(printing.print, relation));
    const opaque = openRelation(printing.print, printing.print('cte', printing.cteName(name)));
    ctes.set(name, printing.blocks ? opaque : relation);
  }
  return { ...around, ctes, named: [...around.named, ...named] };
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
  const scope = isRecursive ? { ...around, ctes: new Map([...around.ctes, [name, itself]]) } : around;
  const names = namesOf(fields, 'columns').map((one) => foldedName(printing.rules, one));
  return renamed(printing, printQuery(printing, query, scope, `with ${printing.cteName(name)}`), names);
}

/** A CTE of a WITH RECURSIVE that reads itself; else the name is that of a relation outside. */
function readsItself(query: Syntax, name: string, { rules }: Printing): boolean {
  const reads = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(reads);
    const fields = fieldsOf(value);
    if (fields === null) return false;
    const node = syntaxOf(value);
    const path = node?.kind === 'table' ? tableNameOf(node.fields) : [];
    if (path.length === 1 && path[0] && foldedName(rules, path[0]) === name) return true;
    return Object.values(fields).some((one) => typeof one === 'object' && one !== null && reads(one));
  };
  return reads(query.fields);
}

/** The relation that an item of FROM names: a CTE, or one outside of the statement. */
export function relationOfTable(printing: Printing, fields: SyntaxFields, scope: PrintScope): PrintedRelation {
  const { print, rules } = printing;
  const name = tableNameOf(fields);
  const folded = partsOf(rules, name).map((part) => foldedName(rules, part));
  const cte = folded.length === 1 ? scope.ctes.get(folded[0] ?? '') : undefined;
  const base = cte ?? noted(printing, printing.relation(name) ?? openRelation(print, print('table', ...folded)));
  const aliases = namesOf(fields, 'column_aliases').map((one) => foldedName(rules, one));
  const extras = saidFields(
    fields,
    ['name', 'schema', 'catalog', 'alias', 'column_aliases', 'identifier_func'].concat(
      fields['identifier_func'] ? [] : ['identifier_func'],
    ),
  );
  const read = renamed(printing, base, aliases);
  if (Object.values(extras).every((one) => one === false)) return read;
  return { ...read, rows: print('read with', read.rows, printValue(printing, extras, scope)) };
}

/** Notes the columns that are read of a relation whose columns nobody lists: one of them may not be there. */
function noted({ print, columnsRead }: Printing, relation: PrintedRelation): PrintedRelation {
  if (relation.isListed) return relation;
  return {
    ...relation,
    column: (name) => {
      columnsRead.add(print('column read', relation.rows, name));
      return relation.column(name);
    },
  };
}

function printSelect(printing: Printing, fields: SyntaxFields, around: PrintScope, path: string): PrintedRelation {
  const { print } = printing;
  const { sources, clauses: from, conditions } = printFrom(printing, fields, around, path);
  const base: PrintScope = {
    ...emptyScope,
    ctes: around.ctes,
    parent: around.parent,
    sources,
    windows: windowsOf(printing, fields),
  };
  const items = printItems(printing, fields, base);
  const inList: PrintScope = { ...base, proven: items.proven };
  const byAlias: PrintScope = { ...inList, aliases: items.aliases };
  const expressions = { ...printing, blocks: null };
  const columns = items.columns;
  const clauses: Clause[] = [...from];
  const add = (kind: ClauseKind, key: string, said: Print, text: readonly unknown[]) =>
    clauses.push({ kind, key, column: null, print: said, text });
  const where = fieldsOf(fields['where_clause']);
  const inWhere = printing.rules.listAliases === 'never' ? inList : byAlias;
  const filters = [...conditions, ...(where ? printConditions(expressions, where['this'], inWhere) : [])];
  if (filters.length > 0) add('filter', 'where', print('and', ...[...new Set(filters)].sort()), [where?.['this']]);
  for (const key of ['having', 'qualify'] as const) {
    const clause = fieldsOf(fields[key]);
    if (clause)
      add('filter', key, print('and', ...printConditions(expressions, clause['this'], byAlias)), [clause['this']]);
  }
  addGrouping(expressions, fields, byAlias, items, add);
  const isTop = path === 'main' && around.parent === null;
  addLimits(expressions, fields, { ...byAlias, aliasesCome: 'first' }, add, isTop);
  for (const [key, value] of Object.entries(saidFields(fields, handled)))
    if (value !== false)
      add(otherKinds.get(key) ?? 'other', key, printValue(expressions, value, byAlias), [
        key.replaceAll('_', ' '),
        value,
      ]);
  if (around.named.length > 0) add('other', 'named values', print('named', ...around.named), []);
  if (printing.blocks) printing.blocks.push({ path, clauses: [...clauses, ...columns.map(clauseOfColumn)] });
  const [only, ...others] = sources;
  const isPlain = only !== undefined && others.length === 0 && clauses.length === 1 && from.length === 1;
  if (isPlain && !printing.blocks) return passedOn(items, only.relation);
  const rows = print(
    'select',
    ...clauses.flatMap((one) => [one.kind === 'other' ? one.key : `${one.kind} ${one.key}`, one.print]),
  );
  return { rows, columns, column: items.column, isListed: columns.every(({ name }) => name !== null) };
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

/** Fields of SELECT that are printed one by one; the others are compared as they are. */
const handled: readonly string[] =
  `expressions from joins where_clause having qualify group_by distinct distinct_on windows with
  limit offset fetch top order_by leading_comments`.split(/\s+/);

type Add = (kind: ClauseKind, key: string, said: Print, text: readonly unknown[]) => void;

function addGrouping(printing: Printing, fields: SyntaxFields, scope: PrintScope, items: Items, add: Add): void {
  const { print } = printing;
  const group = fieldsOf(fields['group_by']);
  const nodes = listOf(fields['expressions']);
  const isAggregated = (node: unknown) => holds(node, (one) => isAggregate(one.kind) || isAggregate(callName(one)));
  if (group) {
    const keys = listOf(group['expressions']).map((one) => byPlace(items, one) ?? printValue(printing, one, scope));
    const all =
      group['all'] === true ? items.columns.flatMap(({ node, print: one }) => (isAggregated(node) ? [] : [one])) : [];
    const rest = saidFields(group, ['expressions', 'all']);
    const said = Object.values(rest).every((one) => one === false) ? null : printValue(printing, rest, scope);
    add('grouping', 'group by', print('keys', ...[...new Set([...keys, ...all])].sort(), said), [
      'group by',
      ...listOf(group['expressions']),
    ]);
  } else if (nodes.some((node) => isAggregated(node) && !holds(node, ({ kind }) => kind === 'window_function'))) {
    add('grouping', 'one row', print('aggregated'), ['one row']);
  }
  const generators = items.columns.filter(({ node }) => holds(node, isRowGenerator)).map((one) => one.print);
  if (generators.length > 0) add('source', 'generated rows', print('generated', ...generators), []);
  const on = listOf(fields['distinct_on']).map((one) => printValue(printing, one, scope));
  if (on.length > 0)
    add('grouping', 'distinct', print('distinct on', ...on.sort(), orderOf(printing, fields, scope, items)), [
      'distinct on',
      ...listOf(fields['distinct_on']),
    ]);
  else if (fields['distinct'] === true)
    add(
      'grouping',
      'distinct',
      print('distinct', ...(items.isWhole ? items.columns.map((one) => one.print).sort() : [])),
      ['distinct'],
    );
}

const orderOf = (printing: Printing, fields: SyntaxFields, scope: PrintScope, items?: Items): Print => {
  const order = listOf(fieldsOf(fields['order_by'])?.['expressions']);
  const prints = order.map((one) => {
    const term = fieldsOf(one) ?? {};
    const place = items && byPlace(items, term['this']);
    return place
      ? printing.print('order', place, printValue(printing, { ...term, this: null }, scope))
      : printValue(printing, one, scope);
  });
  return printing.print('order', ...prints);
};

/** `1` in GROUP BY and ORDER BY is the first item of the list. */
function byPlace({ columns }: Items, node: unknown): Print | null {
  const literal = syntaxOf(node);
  if (literal?.kind !== 'literal' || literal.fields['literal_type'] !== 'number') return null;
  const place = Number(literal.fields['value']) - 1;
  return columns.slice(0, place + 1).every(({ name }) => name !== null) ? (columns[place]?.print ?? null) : null;
}

const limits = ['limit', 'offset', 'fetch', 'top'] as const;

function addLimits(printing: Printing, fields: SyntaxFields, scope: PrintScope, add: Add, isTop: boolean): void {
  const said = limits.filter((key) => fields[key] !== null && fields[key] !== undefined && fields[key] !== false);
  for (const key of said)
    add('filter', key, printValue(printing, fields[key], scope), [
      key,
      fieldsOf(fields[key])?.['this'] ?? fieldsOf(fields[key])?.['count'] ?? fields[key],
    ]);
  const order = listOf(fieldsOf(fields['order_by'])?.['expressions']);
  if (order.length === 0) return;
  // The order of a relation's rows is not kept; that of a part may decide what a limit outside of it takes.
  if (said.length > 0 || !isTop) add('filter', 'order by', orderOf(printing, fields, scope), ['order by', ...order]);
}

/** A query in brackets with limits behind them. */
export function limited(
  printing: Printing,
  relation: PrintedRelation,
  fields: SyntaxFields,
  around: PrintScope,
  path: string,
): PrintedRelation {
  const clauses: Clause[] = [];
  const aliases = new Map(
    relation.columns.flatMap(({ name, print: one }) => (name === null ? [] : [[name, one] as const])),
  );
  const scope = { ...emptyScope, ctes: around.ctes, parent: around.parent, aliases };
  const add: Add = (kind, key, said, text) => clauses.push({ kind, key, column: null, print: said, text });
  addLimits({ ...printing, blocks: null }, fields, scope, add, path === 'main' && around.parent === null);
  if (clauses.length === 0) return relation;
  printing.blocks?.push({ path: `${path} limits`, clauses });
  return {
    ...relation,
    rows: printing.print('limited', relation.rows, ...clauses.flatMap((one) => [one.key, one.print])),
  };
}

function windowsOf({ rules }: Printing, fields: SyntaxFields): ReadonlyMap<string, unknown> {
  return new Map(
    recordsOf(fields, 'windows').flatMap((one) => {
      const name = nameOf(one['name']);
      return name ? [[foldedName(rules, name), one['spec']] as const] : [];
    }),
  );
}

type From = {
  readonly sources: readonly PrintedSource[];
  readonly clauses: readonly Clause[];
  readonly conditions: readonly Print[];
};

/** Joins that only pair rows and filter the pairs: their conditions count as those of WHERE. */
const pairing: ReadonlySet<string> = new Set(['Inner', 'Cross', 'Implicit']);

function printFrom(printing: Printing, fields: SyntaxFields, around: PrintScope, path: string): From {
  const { print } = printing;
  const sources: PrintedSource[] = [];
  const clauses: Clause[] = [];
  const conditions: Print[] = [];
  const expressions = { ...printing, blocks: null };
  const scopeNow = (): PrintScope => ({
    ...emptyScope,
    ctes: around.ctes,
    parent: around.parent,
    sources: [...sources],
  });
  const addSource = (item: unknown) => {
    const place = sources.length;
    const source = sourceOf(printing, item, scopeNow(), `${path}/from ${place}`);
    sources.push(source);
    clauses.push({ kind: 'source', key: String(place), column: null, print: source.relation.rows, text: [item] });
  };
  for (const item of listOf(fieldsOf(fields['from'])?.['expressions'])) addSource(item);
  const joins = recordsOf(fields, 'joins');
  const merges =
    !printing.blocks && joins.every((join) => pairing.has(String(join['kind'])) && listOf(join['using']).length === 0);
  for (const join of joins) {
    addSource(join['this']);
    if (merges) conditions.push(...(join['on'] ? printConditions(expressions, join['on'], scopeNow()) : []));
    else {
      const kind =
        pairing.has(String(join['kind'])) && !join['on'] && listOf(join['using']).length === 0
          ? 'Cross'
          : String(join['kind']);
      const on = join['on'] ? printConditions(expressions, join['on'], scopeNow()) : [];
      const using = namesOf(join, 'using').map((one) => foldedName(printing.rules, one));
      const rest = Object.fromEntries(
        Object.entries(saidFields(join, ['this', 'kind', 'on', 'using'])).filter(([, value]) => value !== false),
      );
      const said = print('join', kind, ...on, '|', ...using, printValue(expressions, rest, scopeNow()));
      const text = [
        `${kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()} join`,
        join['this'],
        ...(join['on'] ? ['on', join['on']] : []),
        ...(using.length > 0 ? [`using (${using.join(', ')})`] : []),
      ];
      clauses.push({ kind: 'join', key: `join ${sources.length - 1}`, column: null, print: said, text });
    }
  }
  return { sources, clauses, conditions };
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
    return {
      alias: alias ?? (own ? foldedName(rules, own) : null),
      relation: relationOfTable(printing, fields, scope),
    };
  }
  const aliases = namesOf(fields, 'column_aliases').map((one) => foldedName(rules, one));
  const query = node && isQuery(node) ? node : null;
  if (query && node?.kind !== 'values') {
    const isLateral = fields['lateral'] === true;
    const around = isLateral ? { ...outside, parent: scope } : outside;
    const rest = saidFields(fields, ['this', 'alias', 'column_aliases', 'lateral', 'with', ...limits, 'order_by']);
    const known = renamed(
      printing,
      printQuery(printing, { kind: query.kind, fields: withoutName(query) }, around, path),
      aliases,
    );
    const isPlain = Object.values(rest).every((one) => one === false) || query.kind !== 'subquery';
    const whole = isPlain
      ? known
      : { ...known, rows: print('read with', known.rows, printValue({ ...printing, blocks: null }, rest, scope)) };
    if (printing.blocks) return { alias, relation: openRelation(print, print('derived', isLateral ? 'lateral' : '')) };
    return { alias, relation: whole };
  }
  const inner = node?.kind === 'alias' ? fields['this'] : item;
  const rows = print('rows of', printValue({ ...printing, blocks: null }, withoutAlias(inner), scope), ...aliases);
  return { alias, relation: openRelation(print, rows) };
}

const withoutName = ({ kind, fields }: Syntax): SyntaxFields =>
  kind === 'subquery' ? { ...fields, alias: null, column_aliases: [] } : fields;

function withoutAlias(item: unknown): unknown {
  const node = syntaxOf(item);
  return node && nameOf(node.fields['alias']) !== null ? { [node.kind]: { ...node.fields, alias: null } } : item;
}

type Items = {
  readonly columns: readonly PrintedColumn[];
  readonly column: (name: string) => Print | null;
  readonly aliases: ReadonlyMap<string, Print>;
  readonly proven: ReadonlyMap<string, number>;
  /** What each print of a column of the first source is there. */
  readonly passed: ReadonlyMap<Print, Print>;
  readonly isWhole: boolean;
};

type Item = PrintedColumn & { readonly lookup: ((name: string) => Print | null) | null };

function printItems(printing: Printing, fields: SyntaxFields, base: PrintScope): Items {
  const { rules, print } = printing;
  const expressions = { ...printing, blocks: null };
  const nodes = listOf(fields['expressions']);
  const proven = provenColumns(printing, nodes, base);
  const aliases = new Map<string, Print>();
  const passed = new Map<Print, Print>();
  const read = (place: number, column: Print) => {
    const one = readPrint(printing, { depth: 0, place }, column);
    if (place === 0) passed.set(one, column);
    return one;
  };
  const isMerged = recordsOf(fields, 'joins').some(
    (join) => listOf(join['using']).length > 0 || String(join['kind']).startsWith('Natural'),
  );
  const columns: Item[] = nodes.flatMap((node, place): Item[] => {
    const item = syntaxOf(node);
    if (item?.kind === 'star') return starItems(expressions, { fields: item.fields, node, isMerged, read }, base);
    const visible = rules.listAliases === 'never' || rules.listAliases === 'guess' ? new Map<string, Print>() : aliases;
    const scope = {
      ...base,
      proven,
      aliases: visible,
      aliasesCome: rules.listAliases === 'first' ? ('first' as const) : ('last' as const),
    };
    const own =
      item?.kind === 'alias'
        ? nameOf(item.fields['alias'])
        : item?.kind === 'column'
          ? nameOf(item.fields['name'])
          : null;
    const value = item?.kind === 'alias' ? item.fields['this'] : node;
    const rest = item?.kind === 'alias' ? saidFields(item.fields, ['this', 'alias']) : {};
    const isRenamed = Object.values(rest).some((field) => field !== false);
    const plain = printValue(expressions, value, scope);
    // `stack(…) AS (a, b)` names several columns.
    const one = isRenamed ? print('renamed', plain, printValue(expressions, rest, scope)) : plain;
    // A plain column of the first source is passed on.
    for (const { alias, relation } of base.sources.slice(0, 1)) {
      const column = syntaxOf(value);
      const name = column?.kind === 'column' ? nameOf(column.fields['name']) : null;
      const inSource = name && relation.column(foldedName(rules, name));
      if (inSource && readPrint(printing, { depth: 0, place: 0 }, inSource) === one) passed.set(one, inSource);
      void alias;
    }
    const name = own ? foldedName(rules, own) : `item ${place + 1}`;
    if (own && item?.kind === 'alias') aliases.set(name, one);
    return [{ name, print: one, node, lookup: null }];
  });
  const column = (name: string): Print | null => {
    const named = columns.find((one) => one.name === name);
    if (named) return named.print;
    const found = columns.flatMap(({ lookup }) => lookup?.(name) ?? []);
    const [first] = found;
    return found.length <= 1 ? (first ?? null) : print('one of', name, ...found);
  };
  return { columns, column, aliases, proven, passed, isWhole: !printing.blocks };
}

type Star = {
  readonly fields: SyntaxFields;
  readonly node: unknown;
  readonly isMerged: boolean;
  readonly read: (place: number, column: Print) => Print;
};

function starItems(printing: Printing, { fields, node, isMerged, read }: Star, scope: PrintScope): Item[] {
  const { print, rules } = printing;
  const qualifier = nameOf(fields['table']);
  const alias = qualifier && foldedName(rules, qualifier);
  const places = scope.sources.flatMap((one, place) =>
    alias === null || one.alias === alias ? [{ ...one, place }] : [],
  );
  const changes = saidFields(fields, ['table']);
  const isPlain = Object.values(changes).every((one) => one === false);
  const items = places.flatMap(({ relation, place }): Item[] =>
    relation.columns.map((column) => ({
      name: column.name,
      print: read(place, column.print),
      node,
      lookup:
        column.name === null
          ? (name) => {
              const found = relation.column(name);
              return found && read(place, found);
            }
          : null,
    })),
  );
  if (places.length > 0 && isPlain && !(isMerged && alias === null)) return items;
  const except = new Set(namesOf(fields, 'except').map((one) => foldedName(rules, one)));
  const onlyExcept = Object.keys(changes).every((key) => key === 'except' || changes[key] === false);
  if (onlyExcept && items.length > 0 && items.every(({ name }) => name !== null) && !isMerged)
    return items.filter(({ name }) => !except.has(name ?? ''));
  const all = print(
    'changed star',
    printValue(printing, changes, scope),
    ...(isMerged ? ['merged'] : []),
    ...items.flatMap((one) => [one.name, one.print]),
  );
  return [{ name: null, print: all, node, lookup: (name) => (except.has(name) ? null : print('of star', name, all)) }];
}

/** Names that are computed from a column of the same name: the source has that column, whoever lists its columns. */
function provenColumns(
  { rules }: Printing,
  nodes: readonly unknown[],
  { sources }: PrintScope,
): ReadonlyMap<string, number> {
  const proven = new Map<string, number>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    const fields = fieldsOf(value);
    if (fields === null) return;
    const node = syntaxOf(value);
    if (node !== null && isQuery(node)) return;
    if (node?.kind === 'column') {
      const [name, table] = [nameOf(node.fields['name']), nameOf(node.fields['table'])];
      const place = table
        ? sources.findIndex(({ alias }) => alias === foldedName(rules, table))
        : sources.length === 1
          ? 0
          : -1;
      if (name && place >= 0) proven.set(foldedName(rules, name), place);
    }
    for (const one of Object.values(fields)) if (typeof one === 'object' && one !== null) visit(one);
  };
  for (const node of nodes) {
    const item = syntaxOf(node);
    const alias = item?.kind === 'alias' ? nameOf(item.fields['alias']) : null;
    if (!alias) continue;
    const own = foldedName(rules, alias);
    const before = new Map(proven);
    visit(item?.fields['this']);
    // Only the name that the alias would hide is in question.
    for (const name of [...proven.keys()]) if (name !== own && !before.has(name)) proven.delete(name);
  }
  return proven;
}

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
