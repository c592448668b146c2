import { foldedName } from '../name-rules.ts';
import { fieldsOf, isQuery, listOf, nameOf, namesOf, recordsOf, type SyntaxFields, syntaxOf } from '../syntax.ts';
import { printValue, readPrint, saidFields } from './print-expression.ts';
import type { Print, PrintedColumn, Printing, PrintScope } from './prints.ts';

export type Items = {
  readonly columns: readonly PrintedColumn[];
  readonly column: (name: string) => Print | null;
  readonly aliases: ReadonlyMap<string, Print>;
  readonly proven: ReadonlyMap<string, number>;
  /** What each print of a column of the first source is there. */
  readonly passed: ReadonlyMap<Print, Print>;
  readonly isWhole: boolean;
};

type Item = PrintedColumn & { readonly lookup: ((name: string) => Print | null) | null };

export function printItems(printing: Printing, fields: SyntaxFields, base: PrintScope): Items {
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
    for (const { relation } of base.sources.slice(0, 1)) {
      const column = syntaxOf(value);
      const name = column?.kind === 'column' ? nameOf(column.fields['name']) : null;
      const inSource = name && relation.column(foldedName(rules, name));
      if (inSource && readPrint(printing, { depth: 0, place: 0 }, inSource) === one) passed.set(one, inSource);
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
