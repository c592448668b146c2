import { isAggregate, isRowGenerator, isVolatile } from '../functions.ts';
import { foldedName, type NameRules } from '../name-rules.ts';
import {
  fieldsOf,
  functionName,
  holds,
  listOf,
  nameOf,
  namesOf,
  nodesIn,
  nodesOutsideQueries,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
} from '../syntax.ts';
import { printValue, setFields } from './print-expression.ts';
import { columnName, readPrint } from './print-name.ts';
import { byPlace, orderOf } from './print-order.ts';
import {
  type Add,
  columnPrints,
  firstNamed,
  type Items,
  nameOfItem,
  type Print,
  type PrintedColumn,
  type Printing,
  type PrintScope,
} from './prints.ts';

type Item = PrintedColumn & { readonly lookup: ((name: string) => Print | null) | null };

export function printItems(printing: Printing, fields: SyntaxFields, base: PrintScope): Items {
  const { rules, print } = printing;
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
  const visible = rules.listAliases === 'never' || rules.listAliases === 'guess' ? new Map<string, Print>() : aliases;
  const aliasesCome = rules.listAliases === 'first' ? 'first' : 'last';
  const scope: PrintScope = { ...base, proven, aliases: visible, aliasesCome };
  const columns: Item[] = nodes.flatMap((node, place): Item[] => {
    const item = syntaxOf(node);
    if (item?.kind === 'star') return starItems(printing, { fields: item.fields, node, isMerged, read }, base);
    const isAliased = item?.kind === 'alias';
    const own = isAliased ? nameOf(item.fields['alias']) : item?.kind === 'column' ? nameOf(item.fields['name']) : null;
    const value = isAliased ? item.fields['this'] : node;
    const rest = isAliased ? setFields(item.fields, ['this', 'alias']) : {};
    const isRenamed = Object.keys(rest).length > 0;
    const plain = printValue(printing, value, scope);
    // `stack(…) AS (a, b)` names several columns.
    const one = isRenamed ? print('renamed', plain, printValue(printing, rest, scope)) : plain;
    // A plain column of the first source is passed on.
    for (const { relation } of base.sources.slice(0, 1)) {
      const name = columnName(printing, value);
      const inSource = name && relation.column(name);
      if (inSource && readPrint(printing, { depth: 0, place: 0 }, inSource) === one) passed.set(one, inSource);
    }
    if (!own && holds(value, (call) => callName(call) === 'columns'))
      return [{ name: null, print: one, node, lookup: (name) => print('of columns', name, one) }];
    const name = own ? foldedName(rules, own) : nameOfItem(place + 1);
    // Two items with one volatile text have two values, and who reads an item twice gets one.
    const found = holdsVolatile(value) ? print('volatile', name, one) : one;
    if (own && isAliased) aliases.set(name, found);
    return [{ name, print: found, node, lookup: null }];
  });
  const named = firstNamed(columns);
  const column = (name: string): Print | null => {
    const known = named.get(name);
    if (known !== undefined) return known;
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
  const changes = setFields(fields, ['table']);
  const isPlain = Object.keys(changes).length === 0;
  const items = places.flatMap(({ relation, place }) => {
    const lookup = (name: string) => {
      const found = relation.column(name);
      return found && read(place, found);
    };
    return relation.columns.map(
      ({ name, print: one }): Item => ({ name, print: read(place, one), node, lookup: name === null ? lookup : null }),
    );
  });
  if (places.length > 0 && isPlain && !(isMerged && alias === null)) return items;
  const except = new Set(namesOf(fields, 'except').map((one) => foldedName(rules, one)));
  const onlyExcept = Object.keys(changes).every((key) => key === 'except');
  if (onlyExcept && items.length > 0 && items.every(({ name }) => name !== null) && !isMerged)
    return items.filter(({ name }) => !except.has(name ?? ''));
  const all = print(
    'changed star',
    printValue(printing, changes, scope),
    ...(isMerged ? ['merged'] : []),
    ...columnPrints(items),
  );
  return [{ name: null, print: all, node, lookup: (name) => (except.has(name) ? null : print('of star', name, all)) }];
}

/** Names that are computed from a column of the same name: the source has that column, even if its column list is unknown. */
function provenColumns(
  { rules, spend }: Printing,
  nodes: readonly unknown[],
  { sources }: PrintScope,
): ReadonlyMap<string, number> {
  const proven = new Map<string, number>();
  for (const node of nodes) {
    const item = syntaxOf(node);
    const alias = item?.kind === 'alias' ? nameOf(item.fields['alias']) : null;
    if (!alias) continue;
    const own = foldedName(rules, alias);
    const found = new Map<string, number>();
    for (const { kind, fields } of nodesOutsideQueries(item?.fields['this'])) {
      if (kind !== 'column') continue;
      const [name, table] = [nameOf(fields['name']), nameOf(fields['table'])];
      spend(sources.length);
      const qualifier = table && foldedName(rules, table);
      const place = sources.findIndex(({ alias: one }) =>
        qualifier === null ? sources.length === 1 : one === qualifier,
      );
      if (name && place >= 0) found.set(foldedName(rules, name), place);
    }
    // Only the name that the alias would hide is in question.
    for (const [name, place] of found) if (name === own || proven.has(name)) proven.set(name, place);
  }
  return proven;
}

/** Returns what tells the rows apart if they are grouped: the values that are grouped by; null if that is not known. */
export function addGrouping(
  printing: Printing,
  fields: SyntaxFields,
  scope: PrintScope,
  items: Items,
  add: Add,
): readonly Print[] | null | undefined {
  const { print } = printing;
  let unique: readonly Print[] | null | undefined;
  const group = fieldsOf(fields['group_by']);
  const nodes = listOf(fields['expressions']);
  const isAggregated = (node: unknown) => holds(node, (one) => isAggregate(one.kind) || isAggregate(callName(one)));
  // ORDER BY of grouped or distinct rows reads only keys and columns of the list, even if nothing uses the order.
  const noteUnordered = (keys: readonly Print[]) => {
    if (items.columns.some(({ name }) => name === null)) return;
    const within: PrintScope = { ...scope, aliasesCome: 'first' };
    const columns = listOf(fieldsOf(fields['order_by'])?.['expressions']).map((term) => {
      const node = fieldsOf(term)?.['this'];
      return { node, print: byPlace(items, node) ?? printValue(printing, node, within) };
    });
    const known = [...keys, ...items.columns.map((one) => one.print)];
    noteUngrouped(printing, { columns }, known, within, isAggregated);
  };
  if (group) {
    const isName = (one: unknown) => nameOf(syntaxOf(one)?.fields['name']) !== null;
    const scopeOf = (one: unknown): PrintScope =>
      printing.rules.groupsByAlias && isName(one) ? { ...scope, aliasesCome: 'first' } : scope;
    const keys = listOf(group['expressions']).map(
      (one) => byPlace(items, one) ?? printValue(printing, one, scopeOf(one)),
    );
    const all =
      group['all'] === true ? items.columns.flatMap(({ node, print: one }) => (isAggregated(node) ? [] : [one])) : [];
    const rest = setFields(group, ['expressions', 'all']);
    const printed = Object.keys(rest).length === 0 ? null : printValue(printing, rest, scope);
    noteUngrouped(printing, items, [...keys, ...all], scope, isAggregated);
    noteUnordered([...keys, ...all]);
    unique = printed === null ? [...keys, ...all] : null;
    const text = ['group by', ...listOf(group['expressions'])];
    add('grouping', 'group by', print('keys', ...[...new Set([...keys, ...all])].sort(), printed), text);
  } else if (nodes.some((node) => isAggregated(node) && !holds(node, ({ kind }) => kind === 'window_function'))) {
    add('grouping', 'one row', print('aggregated'), ['one row']);
    noteUnordered([]);
    unique = null;
  }
  const generators = items.columns.filter(({ node }) => holds(node, isRowGenerator)).map((one) => one.print);
  if (generators.length > 0) add('source', 'generated rows', print('generated', ...generators), []);
  const on = listOf(fields['distinct_on']).map((one) => printValue(printing, one, scope));
  if (on.length > 0) {
    unique = null;
    const printed = print('distinct on', ...on.sort(), orderOf(printing, fields, scope, items));
    add('grouping', 'distinct', printed, ['distinct on', ...listOf(fields['distinct_on'])]);
  } else if (fields['distinct'] === true) {
    const columns = items.isWhole ? items.columns.map((one) => one.print).sort() : [];
    add('grouping', 'distinct', print('distinct', ...columns), ['distinct']);
    noteUnordered([]);
    unique = items.columns.map((one) => one.print);
  }
  return unique;
}

/** Columns of a grouped list or order that are no keys: most databases refuse them, even if nothing uses them. */
function noteUngrouped(
  printing: Printing,
  { columns }: { readonly columns: readonly { readonly node: unknown; readonly print: Print }[] },
  keys: readonly Print[],
  scope: PrintScope,
  isAggregated: (node: unknown) => boolean,
): void {
  const { print, columnsRead } = printing;
  const known = new Set(keys);
  for (const { node, print: item } of columns) {
    if (known.has(item) || isAggregated(node)) continue;
    for (const { kind, fields } of nodesIn(node)) {
      if (kind !== 'column') continue;
      const read = printValue(printing, { [kind]: fields }, scope);
      if (!known.has(read)) columnsRead.add(print('ungrouped', read));
    }
  }
}

/** The windows that a statement names. One may add to one before it. */
export function windowsOf(rules: NameRules, fields: SyntaxFields): ReadonlyMap<string, SyntaxFields> {
  const windows = new Map<string, SyntaxFields>();
  for (const one of recordsOf(fields, 'windows')) {
    const [name, spec] = [nameOf(one['name']), fieldsOf(one['spec'])];
    if (name === null || spec === null) continue;
    const base = nameOf(spec['window_name']);
    const known = base && windows.get(foldedName(rules, base));
    windows.set(foldedName(rules, name), known ? { ...known, ...setFields(spec, ['window_name']) } : spec);
  }
  return windows;
}

const callName = ({ kind, fields }: Syntax): string => functionName(kind, fields);

/** Whether it may give another value each time it is computed. */
export const holdsVolatile = (value: unknown): boolean => holds(value, (call) => isVolatile(callName(call)));
