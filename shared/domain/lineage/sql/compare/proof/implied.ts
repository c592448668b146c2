import { areUnequal, rejectsNull } from './evaluate.ts';
import { bare, ofBranch, type Proof, type Term } from './terms.ts';

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
