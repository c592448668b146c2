import { childOf, fieldsOf, type Syntax, syntaxOf } from './syntax.ts';

/**
 * The set operation that a SELECT is the first side of: the parser takes `WHERE a = (SELECT b) UNION SELECT c` for a
 * comparison with a union, which SQL has only within brackets. Null where the tree is right.
 */
export function withSetOperation({ kind, fields }: Syntax): Syntax | null {
  for (const key of lastClauses) {
    const split = splitIn(fields[key]);
    if (split !== null) return split.around({ kind, fields: { ...fields, [key]: split.kept } });
  }
  return null;
}

/** The clauses whose end can be the end of a SELECT, in the order in which they are written last. */
const lastClauses = ['limit', 'order_by', 'qualify', 'having', 'group_by', 'where_clause', 'joins', 'expressions'];

/** Kinds that end with a bracket or a keyword of their own, so that nothing after them is taken in. */
const closed: ReadonlySet<string> = new Set([
  'select',
  'subquery',
  'values',
  'exists',
  'in',
  'function',
  'paren',
  'case',
  'table',
]);
const setOperations: ReadonlySet<string> = new Set(['union', 'intersect', 'except']);

/** What is left of a value without the set operation that it took in, and that operation around a first side. */
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
