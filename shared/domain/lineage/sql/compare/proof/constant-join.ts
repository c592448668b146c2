import { isWord } from './evaluate.ts';
import { allOf } from './logic.ts';
import type { Source } from './resolve-column.ts';
import { type Block, bare, type Proof, rewritten, type Term } from './terms.ts';

/**
 * A left join by the key of a table of known rows finds one row or none, so each of its columns is a CASE over what the
 * join compares with the key. Null if it is another join.
 */
export function joinConstants(
  proof: Proof,
  { block, sources }: { readonly block: Block; readonly sources: readonly Source[] },
  on: readonly Term[],
): readonly Source[] | null {
  const [leaf, second] = block.leaves;
  const constants = leaf && proof.constants.get(leaf.ref);
  if (!constants || second || block.outers.length + block.fulls.length + block.conditions.length > 0) return null;
  const { columns, key, rows } = constants;
  const columnOf = (name: string) => proof.term(`column ${name}`, leaf.ref);
  const tested = key.map((name) => on.flatMap((one) => comparedWith(proof, one, columnOf(name))));
  const operands = tested.flatMap(([one, other]) => (one?.isPure && !other ? [one] : []));
  if (operands.length < key.length || on.length > key.length) return null;
  proof.spend(rows * columns.size);
  const values = new Map([...columns].map(([name, texts]) => [name, valueTerms(proof, texts)]));
  const conditions = Array.from({ length: rows }, (_, row) => {
    const parts = key.flatMap((name, at) => {
      const [operand, value] = [operands[at], values.get(name)?.[row]];
      return operand && value ? [proof.term('eq', operand, value)] : [];
    });
    return allOf(proof, parts);
  });
  const found = new Map(
    [...values].map(([name, all]) => {
      const whens = conditions.flatMap((one, row) => [one, all[row] ?? one]);
      return [columnOf(name), proof.term('case', ...whens, proof.term('null'))];
    }),
  );
  const joined = (term: Term) => rewritten(proof, term, (part) => found.get(part) ?? null);
  return sources.map((one) => ({
    ...one,
    columns: one.columns.map(({ name, term }) => ({ name, term: joined(term) })),
  }));
}

/** What a condition holds a column equal to. */
function comparedWith(proof: Proof, { op, args }: Term, column: Term): readonly Term[] {
  const sides = op === 'eq' ? args.map((one) => bare(proof, one)) : [];
  return sides.includes(column) ? sides.filter((one) => one !== column) : [];
}

/** Words are texts. Other values are of one type only if all values of the column are the same. */
function valueTerms(proof: Proof, texts: readonly string[]): readonly Term[] {
  const words = texts.map((one) => proof.term(`literal string ${JSON.stringify(one)}`));
  if (words.every(isWord)) return words;
  const all = JSON.stringify(texts.toSorted());
  return texts.map((one) => (one === '' ? proof.term('null') : proof.term(`literal of ${all} ${JSON.stringify(one)}`)));
}
