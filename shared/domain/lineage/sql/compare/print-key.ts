// Which columns tell the rows of a query apart.
import { foldedName } from '../name-rules.ts';
import { childOf, fieldsOf, functionName, listOf, nameOf, type SyntaxFields, syntaxOf } from '../syntax.ts';
import { operands, printValue, setFields } from './print-expression.ts';
import { columnName, readPrint } from './print-name.ts';
import { placeIn } from './print-order.ts';
import type { Clause, Items, Key, Print, PrintedSource, Printing, PrintScope } from './prints.ts';

type Select = {
  readonly fields: SyntaxFields;
  readonly items: Items;
  readonly sources: readonly PrintedSource[];
  readonly clauses: readonly Clause[];
  readonly scope: PrintScope;
  /** What is grouped by; null if that is not known, undefined if nothing groups. */
  readonly grouped: readonly Print[] | null | undefined;
};

/** A value that is a part of a key, with the name of a column that may have it. */
type Value = { readonly print: Print | null; readonly name: string | null };

/** Computed when it is first needed, because few keys are. */
export function keyOf(printing: Printing, select: Select): Key | null {
  const { items, clauses, grouped } = select;
  // Calls in the list may make several rows of one.
  const isMultiplied = clauses.some(({ key }) => key === 'generated rows');
  if (printing.contentsOf === null || isMultiplied) return null;
  return (among) => {
    const ofGroup = grouped?.map((print): Value => ({ print, name: null }));
    const ofRows = () =>
      ofGroup ?? valuesNumbered(printing, select) ?? (grouped === undefined ? valuesOfSource(printing, select) : null);
    const values = among === undefined ? ofRows() : partitionOf(printing, itemNamed(select, among), select.scope);
    const names = values?.map(({ print, name }) => {
      const listed = items.columns.find((one) => one.name !== null && one.print === print)?.name;
      return listed ?? (name !== null && items.column(name) === print ? name : null);
    });
    return names?.every((name) => name !== null) ? names : null;
  };
}

/** An item of the list. Null if a star may have a column of that name. */
function itemNamed({ items }: Select, name: string): unknown {
  if (items.columns.some((one) => one.name === null)) return null;
  const node = items.columns.find((one) => one.name === name)?.node ?? null;
  const item = syntaxOf(node);
  return item?.kind === 'alias' ? item.fields['this'] : node;
}

/** What `row_number` starts anew for: rows with one number differ in it. */
function partitionOf(printing: Printing, call: unknown, scope: PrintScope): readonly Value[] | null {
  const { kind, fields = {} } = syntaxOf(call) ?? {};
  const numbering = childOf(fields, 'this');
  const over = fieldsOf(fields['over']);
  if (kind !== 'window_function' || numbering === null || over === null) return null;
  const isPlain = Object.keys(setFields(fields, ['this', 'over'])).length === 0;
  if (!isPlain || functionName(numbering.kind, numbering.fields) !== 'row_number') return null;
  const window = nameOf(over['window_name']);
  const named = window ? scope.windows.get(foldedName(printing.rules, window)) : {};
  if (!named || nameOf(named['window_name']) !== null) return null;
  return [...listOf(over['partition_by']), ...listOf(named['partition_by'])].map((node) => ({
    print: printValue(printing, node, scope),
    name: columnName(printing, node),
  }));
}

/** The operands of a clause that are compared with a number. */
function equalToNumber(clause: unknown): readonly unknown[] {
  return operands('and', fieldsOf(clause)?.['this']).flatMap((one) => {
    const { kind, fields = {} } = syntaxOf(one) ?? {};
    const { left, right } = fields;
    if (kind !== 'eq' || (placeIn(left) === null) === (placeIn(right) === null)) return [];
    return [placeIn(left) === null ? left : right];
  });
}

/** `qualify row_number() over (partition by …) = 1` */
function valuesNumbered(printing: Printing, select: Select): readonly Value[] | null {
  const { fields, items, scope } = select;
  for (const one of equalToNumber(fields['qualify'])) {
    const name = columnName(printing, one) ?? '';
    const isItem = items.columns.some((item) => item.name === name && item.print === printValue(printing, one, scope));
    const values = partitionOf(printing, isItem ? itemNamed(select, name) : one, scope);
    if (values !== null) return values;
  }
  return null;
}

/** The key of the first source, or of its rows of one number, if no other source makes other rows of it. */
function valuesOfSource(printing: Printing, { fields, sources, clauses, scope }: Select): readonly Value[] | null {
  const [first] = sources;
  const isOnly = clauses.every(({ kind, key }) => kind === 'filter' || (kind === 'source' && key === '0'));
  const { key, column } = first?.relation ?? {};
  if (!isOnly || !key || !column) return null;
  const valueIn = (name: string): Value => {
    const value = column(name);
    return { name, print: value && readPrint(printing, { depth: 0, place: 0 }, value) };
  };
  const numbers = equalToNumber(fields['where_clause']).flatMap((node) => {
    const name = columnName(printing, node);
    return name !== null && valueIn(name).print === printValue(printing, node, scope) ? [name] : [];
  });
  const names = [undefined, ...numbers].map((name) => key(name)).find((one) => one !== null);
  return names?.map(valueIn) ?? null;
}
