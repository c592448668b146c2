import { isAggregate, isRowGenerator } from '../functions.ts';
import { foldedName } from '../name-rules.ts';
import {
  fieldsOf,
  functionName,
  isQuery,
  listOf,
  nameOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
} from '../syntax.ts';
import { printValue, saidFields } from './print-expression.ts';
import type { Items } from './print-list.ts';
import {
  type Clause,
  type ClauseKind,
  emptyScope,
  type Print,
  type PrintedRelation,
  type Printing,
  type PrintScope,
} from './prints.ts';

export type Add = (kind: ClauseKind, key: string, said: Print, text: readonly unknown[]) => void;

export function addGrouping(printing: Printing, fields: SyntaxFields, scope: PrintScope, items: Items, add: Add): void {
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

export const limitKeys = ['limit', 'offset', 'fetch', 'top'] as const;

export function addLimits(printing: Printing, fields: SyntaxFields, scope: PrintScope, add: Add, isTop: boolean): void {
  const said = limitKeys.filter((key) => fields[key] !== null && fields[key] !== undefined && fields[key] !== false);
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

export function windowsOf({ rules }: Printing, fields: SyntaxFields): ReadonlyMap<string, unknown> {
  return new Map(
    recordsOf(fields, 'windows').flatMap((one) => {
      const name = nameOf(one['name']);
      return name ? [[foldedName(rules, name), one['spec']] as const] : [];
    }),
  );
}

/** Whether a part of a tree holds a window function, or an aggregate. */
export function holds(value: unknown, isOne: (node: Syntax) => boolean): boolean {
  if (Array.isArray(value)) return value.some((one) => holds(one, isOne));
  const fields = fieldsOf(value);
  if (fields === null) return false;
  const node = syntaxOf(value);
  if (node !== null && (isOne(node) || isQuery(node))) return isOne(node);
  return Object.values(fields).some((one) => typeof one === 'object' && one !== null && holds(one, isOne));
}

const callName = ({ kind, fields }: Syntax): string => functionName(kind, fields);
