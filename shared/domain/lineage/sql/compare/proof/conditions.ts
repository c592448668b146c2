// Which conditions of a block say nothing more than others, and which belong to the queries that it reads.
import { wordSet } from '../../syntax.ts';
import { areUnequal, isWord, rejectsNull } from './evaluate.ts';
import {
  type Block,
  bare,
  columnTerms,
  isAggregateTerm,
  isWindowTerm,
  type Leaf,
  ofBranch,
  ownTerms,
  type Proof,
  type Query,
  rewritten,
  someIn,
  type Term,
} from './terms.ts';

/** Moves conditions that read one query in FROM into that query, and those that read a UNION ALL into each of its branches. */
export function pushConditions(proof: Proof, block: Block, simplify: (query: Query) => Query): void {
  for (const leaf of block.leaves) {
    const queries = leaf.table ? [] : leaf.query ? [leaf.query] : leaf.branches;
    if (queries.length === 0 || !queries.every((one) => isPlain(proof, one))) continue;
    const pushed = block.conditions.filter((one) => isOfLeaf(proof, leaf, one));
    if (pushed.length === 0) continue;
    const made = queries.map((query, place) => {
      const own = pushed.map((one) => rewritten(proof, one, (part) => valueIn(proof, leaf, part, place)));
      return simplify({ ...query, conditions: [...query.conditions, ...own] });
    });
    const [query = null] = made;
    const next = leaf.query ? { ...leaf, query } : { ...leaf, branches: made };
    block.conditions = block.conditions.filter((one) => !pushed.includes(one));
    block.leaves = block.leaves.map((one) => (one === leaf ? next : one));
  }
}

/** Without groups, windows and a limit, which other rows would change. */
const isPlain = (proof: Proof, query: Query): boolean =>
  query.group === null &&
  ownTerms(query).length === 0 &&
  !someIn(proof, columnTerms(query), (one) => isWindowTerm(one) || isAggregateTerm(one));

/** The term of a leaf's column in each branch; null if the term is no column of the leaf. */
function partsOf(leaf: Leaf, { op, args: [read, column] }: Term): readonly Term[] | null {
  if (op !== 'read' || read !== leaf.ref || !column) return null;
  if (leaf.query) return [column];
  return column.op === 'tuple' ? column.args : null;
}

/** The union may give the values of its branches another type. */
function valueIn(proof: Proof, leaf: Leaf, part: Term, place: number): Term | null {
  const value = partsOf(leaf, part)?.[place];
  return value ? (leaf.query ? value : proof.term('united', value)) : null;
}

/** Whether a condition reads this leaf only. Of a union it compares with words, which say the same of values of each type. */
function isOfLeaf(proof: Proof, leaf: Leaf, term: Term): boolean {
  const { op, args } = bare(proof, term);
  proof.spend(args.length + 1);
  const isColumn = (one: Term) => partsOf(leaf, ofBranch(proof, one))?.every(({ isPure }) => isPure) === true;
  if (op === 'and' || op === 'or' || op === 'not') return args.every((one) => isOfLeaf(proof, leaf, one));
  if (op === 'is_null') return args.every(isColumn);
  const isConstant = (one: Term) => isWord(one) || (leaf.query !== null && one.op.startsWith('literal '));
  return comparing.has(op) && args.some(isColumn) && args.every((one) => isColumn(one) !== isConstant(one));
}

const comparing = wordSet('eq neq lt lte');

/** Leaves out the conditions that others imply. */
export function withoutImplied(proof: Proof, conditions: readonly Term[]): Term[] {
  let kept = [...new Set(conditions)];
  for (const one of kept) {
    proof.spend(kept.length);
    if (kept.some((other) => other !== one && implies(proof, other, one))) kept = kept.filter((other) => other !== one);
  }
  return kept;
}

function implies(proof: Proof, condition: Term, other: Term): boolean {
  proof.spend(1);
  if (condition.op === 'or' && condition.args.every((one) => implies(proof, bare(proof, one), other))) return true;
  if (condition.op === 'eq' && condition.args.some((one) => holdsWhere(proof, condition, bare(proof, one), other)))
    return true;
  // A comparison is true of no null: `x is not null` beside it says nothing more.
  const [isNull] = other.op === 'not' ? other.args : [];
  const [tested] = isNull?.op === 'is_null' ? isNull.args : [];
  const value = tested && bare(proof, tested);
  return value !== undefined && rejectsNull(proof, condition, (part) => part === value);
}

/** Whether a comparison with literals holds where a value equals another literal: `x = 'a'` says that `x <> 'b'`. */
function holdsWhere(proof: Proof, equal: Term, value: Term, { op, args }: Term): boolean {
  // What a union gives another type is still no other word.
  const plain = (one: Term): Term => (op === 'neq' ? ofBranch(proof, one) : bare(proof, one));
  const opposite = (pair: readonly Term[]): Term | undefined => {
    const sides = pair.map(plain);
    return sides.includes(plain(value)) ? sides.find((one) => one !== plain(value)) : undefined;
  };
  const [literal, other] = [opposite(equal.args), opposite(args)];
  proof.spend(args.length);
  if (op === 'and') return args.every((one) => holdsWhere(proof, equal, value, one));
  if (op === 'or') return args.some((one) => holdsWhere(proof, equal, value, one));
  if (!value.isPure || !literal || !other) return false;
  return op === 'eq' ? literal === other : op === 'neq' && areUnequal(literal, other);
}
