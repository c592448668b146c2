import { fieldsOf, holds, listOf, type Syntax, type SyntaxFields, syntaxOf } from '../syntax.ts';
import { printValue } from './print-expression.ts';
import {
  type Add,
  byName,
  type Clause,
  emptyScope,
  type Items,
  type Print,
  type PrintedColumn,
  type PrintedRelation,
  type Printing,
  type PrintScope,
} from './prints.ts';

/** The terms of ORDER BY. */
export const orderOf = (printing: Printing, fields: SyntaxFields, scope: PrintScope, items?: Items): Print => {
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

/** The place in the list, from 1, that a number in GROUP BY or ORDER BY is; null of anything else. */
export function placeIn(node: unknown): number | null {
  const literal = syntaxOf(node);
  const isNumber = literal?.kind === 'literal' && literal.fields['literal_type'] === 'number';
  return isNumber ? Number(literal.fields['value']) : null;
}

export function byPlace({ columns }: Items, node: unknown): Print | null {
  const place = placeIn(node);
  if (place === null || !columns.slice(0, place).every(({ name }) => name !== null)) return null;
  return columns[place - 1]?.print ?? null;
}

export const limitKeys = ['limit', 'offset', 'fetch', 'top'] as const;
export const limitsIn = (fields: SyntaxFields) => limitKeys.filter((key) => (fields[key] ?? false) !== false);

export function addLimits(
  printing: Printing,
  fields: SyntaxFields,
  scope: PrintScope,
  { add, isTop, columns }: { readonly add: Add; readonly isTop: boolean; readonly columns: readonly PrintedColumn[] },
): void {
  const printed = limitsIn(fields);
  for (const key of printed) {
    const limit = fieldsOf(fields[key]);
    add('filter', key, printValue(printing, fields[key], scope), [
      key,
      limit?.['this'] ?? limit?.['count'] ?? fields[key],
    ]);
  }
  const order = listOf(fieldsOf(fields['order_by'])?.['expressions']);
  if (order.length === 0) return;
  const print = orderOf(printing, fields, scope);
  // The order of a relation's rows is not kept; that of a part may decide what a limit outside of it takes.
  const counts = printed.length > 0 || !isTop || order.some(fills) || holds(fields['expressions'], assigns);
  if (counts) add('filter', 'order by', print, ['order by', ...order]);
  else noteFailures(printing, order, columns);
}

/** ClickHouse's WITH FILL adds rows. */
export const fills = (term: unknown): boolean => (fieldsOf(term)?.['with_fill'] ?? null) !== null;

/** MySQL's `@n := @n + 1` is computed in the order of the rows. */
const assigns = ({ kind }: Syntax): boolean => kind === 'property_e_q';

/** A place that the list does not have: the statement fails, though nothing comes of the order. */
function noteFailures({ print, columnsRead }: Printing, order: readonly unknown[], columns: readonly PrintedColumn[]) {
  if (columns.some(({ name }) => name === null)) return;
  for (const term of order) {
    const place = placeIn(fieldsOf(term)?.['this']);
    if (place !== null && !(place >= 1 && place <= columns.length)) columnsRead.add(print('no place', String(place)));
  }
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
  const scope = { ...emptyScope, ctes: around.ctes, parent: around.parent, aliases: byName(relation.columns) };
  const add: Add = (kind, key, printed, text) => clauses.push({ kind, key, column: null, print: printed, text });
  const isTop = path === 'main' && around.parent === null;
  addLimits(printing, fields, scope, { add, isTop, columns: relation.columns });
  if (clauses.length === 0) return relation;
  printing.blocks?.push({ path: `${path} limits`, clauses });
  const rows = printing.print('limited', relation.rows, ...clauses.flatMap((one) => [one.key, one.print]));
  return { ...relation, rows };
}
