import type { SqlDialect } from './dialect.ts';
import { childOf, fieldsOf, type Syntax, type SyntaxFields, syntaxOf, wordSet } from './syntax.ts';

/** Trees in which INTERSECT binds tighter than UNION and EXCEPT, as it does outside of Oracle and SQLite. */
export function withPrecedence(text: string, trees: readonly unknown[], dialect: SqlDialect): readonly unknown[] {
  if (!/\bintersect\b/i.test(text) || dialect === 'oracle' || dialect === 'sqlite') return trees;
  return trees.map(regrouped);
}

function regrouped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(regrouped);
  const fields = fieldsOf(value);
  if (fields === null) return value;
  const node = syntaxOf(value);
  if (node !== null && setOperations.has(node.kind)) return regroupedChain(node);
  return Object.fromEntries(Object.entries(fields).map(([key, part]) => [key, regrouped(part)]));
}

type Link = { readonly kind: string; readonly own: SyntaxFields; readonly right: unknown };

/** The parser groups a chain from the left; what belongs to all of it hangs on the last operation. */
function regroupedChain(last: Syntax): unknown {
  const links: Link[] = [];
  let first: unknown = { [last.kind]: last.fields };
  for (let at: Syntax | null = last; at !== null; ) {
    const { left, right, ...own } = at.fields;
    links.push({ kind: at.kind, own: at === last ? withoutClauses(own) : own, right: regrouped(right) });
    first = left;
    const next = syntaxOf(left);
    at = next !== null && setOperations.has(next.kind) && !hasClauses(next.fields) ? next : null;
  }
  const operands: unknown[] = [regrouped(first)];
  const loose: Link[] = [];
  for (const link of links.reverse())
    if (link.kind === 'intersect')
      operands.push({ intersect: { ...link.own, left: operands.pop(), right: link.right } });
    else {
      operands.push(link.right);
      loose.push(link);
    }
  const [start, ...rest] = operands;
  const whole = loose.reduce(
    (left, { kind, own }, place): unknown => ({ [kind]: { ...own, left, right: rest[place] } }),
    start,
  );
  const { kind, fields } = syntaxOf(whole) ?? last;
  return { [kind]: { ...fields, ...clausesOf(last.fields) } };
}

/** Clauses of a set operation as a whole. */
const clauses = ['with', 'order_by', 'limit', 'offset', 'fetch', 'distribute_by', 'sort_by', 'cluster_by'];

const clausesOf = (fields: SyntaxFields): SyntaxFields =>
  Object.fromEntries(clauses.flatMap((key) => (key in fields ? [[key, fields[key]] as const] : [])));

const withoutClauses = (fields: SyntaxFields): SyntaxFields => ({
  ...fields,
  ...Object.fromEntries(clauses.flatMap((key) => (key in fields ? [[key, null] as const] : []))),
});

const hasClauses = (fields: SyntaxFields): boolean => clauses.some((key) => (fields[key] ?? null) !== null);

/** The parser takes `WHERE a = (SELECT b) UNION SELECT c` for a comparison with a union. Null if the tree is right. */
export function withSetOperation({ kind, fields }: Syntax): Syntax | null {
  for (const key of lastClauses) {
    const split = splitIn(fields[key]);
    if (split !== null) return split.around({ kind, fields: { ...fields, [key]: split.kept } });
  }
  return null;
}

/** The clauses that can end a SELECT, latest first. */
const lastClauses = ['limit', 'order_by', 'qualify', 'having', 'group_by', 'where_clause', 'joins', 'expressions'];

/** Kinds that end with a bracket or their own keyword, so that nothing after them is accepted. */
const closed = wordSet('select subquery values exists in function paren case table');
const setOperations = wordSet('union intersect except');

/** What is left of a value without the set operation that it accepted, and that operation around a first side. */
type Split = { readonly kept: unknown; readonly around: (first: Syntax) => Syntax };

function splitIn(value: unknown): Split | null {
  if (Array.isArray(value)) return splitInList(value);
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const node = syntaxOf(value);
  if (node !== null && setOperations.has(node.kind)) return splitOperation(node);
  if (node !== null && closed.has(node.kind)) return null;
  for (const key in fields) {
    const part = fields[key];
    const split = typeof part === 'object' && part !== null && key !== 'span' ? splitIn(part) : null;
    if (split !== null) return { kept: { ...fields, [key]: split.kept }, around: split.around };
  }
  return null;
}

function splitInList(list: readonly unknown[]): Split | null {
  for (const [place, part] of list.entries()) {
    const split = splitIn(part);
    if (split !== null) return { kept: list.with(place, split.kept), around: split.around };
  }
  return null;
}

/** Only what begins with a bracketed query can have been an operand. */
function splitOperation(operation: Syntax): Split | null {
  const left = childOf(operation.fields, 'left');
  if (left === null) return null;
  const inner = setOperations.has(left.kind) ? splitOperation(left) : null;
  if (inner === null && left.kind !== 'subquery') return null;
  const withLeft = (first: Syntax): Syntax => ({
    kind: operation.kind,
    fields: { ...operation.fields, left: { [first.kind]: first.fields } },
  });
  if (inner === null) return { kept: { [left.kind]: left.fields }, around: withLeft };
  return { kept: inner.kept, around: (first) => withLeft(inner.around(first)) };
}
