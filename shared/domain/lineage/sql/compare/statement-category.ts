import type { ParsedStatement } from '../parse-script.ts';
import { fieldsOf, holds, listOf, wordSet } from '../syntax.ts';
import { identifierIn, nodeIn, nonEmptyFields } from './print-expression.ts';

/** `non_breaking` if select lists only got longer, as SQLMesh's categorizer says. Null: the trees are equal. */
export type StatementCategory = 'breaking' | 'non_breaking' | null;

export function statementCategory(
  before: readonly ParsedStatement[],
  after: readonly ParsedStatement[],
): StatementCategory {
  const [old, now] = [treesOf(before), treesOf(after)];
  if (plain(old) === plain(now)) return null;
  return onlyAddsItems(old, now) ? 'non_breaking' : 'breaking';
}

const treesOf = (statements: readonly ParsedStatement[]): readonly unknown[] =>
  statements.map(({ node }) => ({ [node.kind]: node.fields }));

/** A tree without brackets and spelling, as text. */
const plain = (value: unknown): string => JSON.stringify(value, (_, one) => bare(one));

function bare(value: unknown): unknown {
  const fields = fieldsOf(value);
  if (fields === null) return value;
  const node = nodeIn(fields);
  if (node?.kind === 'paren') return bare(node.fields['this']);
  if (node !== null && node.fields !== fields) return { [node.kind]: nonEmptyFields(node.fields) };
  const name = identifierIn(fields);
  if (name !== null) return { name: name.quoted ? name.text : name.text.toLowerCase() };
  return nonEmptyFields(fields);
}

function onlyAddsItems(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((one, place) => onlyAddsItems(one, after[place]));
  const [left, right] = [fieldsOf(bare(before)), fieldsOf(bare(after))];
  if (left === null || right === null) return plain(before) === plain(after);
  const [old, now] = [nodeIn(left), nodeIn(right)];
  if (old?.kind === 'select' && now?.kind === 'select')
    return (
      addsToList(listOf(old.fields['expressions']), listOf(now.fields['expressions'])) &&
      sameKeys(old.fields, now.fields, ['expressions'])
    );
  if (!old || !now) return sameKeys(left, right, []);
  return old.kind === now.kind && sameKeys(old.fields, now.fields, []);
}

type Fields = Readonly<Record<string, unknown>>;

function sameKeys(before: Fields, after: Fields, without: readonly string[]): boolean {
  const [old, now] = [nonEmptyFields(before, without), nonEmptyFields(after, without)];
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].every((key) => onlyAddsItems(old[key], now[key]));
}

/** Each item of the former list is there in its order. */
function addsToList(before: readonly unknown[], after: readonly unknown[]): boolean {
  let next = 0;
  for (const one of after) {
    if (next < before.length && onlyAddsItems(before[next], one)) next++;
    else if (makesRows(one)) return false;
  }
  return next === before.length;
}

/** Functions that sqlglot takes for table functions. */
const tableFunctions = wordSet(
  'unnest explode explode_outer posexplode posexplode_outer inline inline_outer lateral values',
);

/** A table function in a list makes rows; within a subquery it does not. */
const makesRows = (value: unknown): boolean =>
  holds(value, ({ kind, fields }) =>
    tableFunctions.has(kind === 'function' ? String(fields['name']).toLowerCase() : kind),
  );
