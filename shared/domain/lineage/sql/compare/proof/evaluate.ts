import { wordSet } from '../../syntax.ts';
import { type Block, bare, leavesOf, type Proof, type Term } from './terms.ts';

/** What a term may give: true, false, null, or another value; a sum of these. */
const yes = 1;
const no = 2;
const nothing = 4;
const value = 8;
const anything = 15;

/** Give null if an operand is null. */
const comparing = wordSet('eq neq lt lte like i_like');
const computing = wordSet('add sub mul div mod neg cast subscript united');

/** What a term may give if some of its parts are null, by the three-valued logic of SQL. */
function outcomes(proof: Proof, term: Term, isNull: (part: Term) => boolean): number {
  const known = new Map<Term, number>();
  const visit = (one: Term): number => {
    const at = bare(proof, one);
    const found = known.get(at) ?? (isNull(at) ? nothing : ofTerm(at));
    known.set(at, found);
    proof.spend(1);
    return found;
  };
  const ofTerm = ({ op, args }: Term): number => {
    const [kind = op, word] = op.split(' ', 2);
    const of = (place: number): number => {
      const arg = args[place];
      return arg ? visit(arg) : anything;
    };
    // Oracle's '' is null.
    if (kind === 'literal') return op === 'literal string ""' ? anything : value;
    if (kind === 'boolean') return word === 'true' ? yes : no;
    if (kind === 'null') return nothing;
    if (kind === 'extended') return of(0) === nothing ? nothing : of(1) | nothing;
    if (kind === 'eq' && isOfLiterals(args)) return args[0] === args[1] ? yes : no;
    if (kind === 'not') return negated(of(0));
    if (kind === 'and') return negated(anyOf(args.map((arg) => negated(visit(arg)))));
    if (kind === 'or') return anyOf(args.map(visit));
    if (kind === 'is_null') {
      const found = of(0);
      return (found & nothing ? yes : 0) | (found & ~nothing ? no : 0);
    }
    if (kind === 'same') {
      const found = [of(0), of(1)];
      if (found.every((one) => one === nothing)) return yes;
      return found.includes(nothing) && found.some((one) => !(one & nothing)) ? no : yes | no;
    }
    if (kind === 'case') return ofCase(args.map(visit));
    if (kind === 'coalesce') return ofCoalesce(args.map(visit));
    const isComparing = comparing.has(kind);
    if (!isComparing && !computing.has(kind)) return anything;
    const found = args.map(visit);
    if (found.includes(nothing)) return nothing;
    return (isComparing ? yes | no : anything) | nothing;
  };
  return visit(term);
}

/** Words that one type may read as one value. */
const synonyms = wordSet('null t f y n true false yes no on off inf infinity nan now today tomorrow yesterday epoch');
/** Some databases compare texts without their case and the spaces at the end, or take w for v and y for i. */
const word = /^literal string "([a-z_]\w{0,60})"$/i;
const spelling = (literal: string) => literal.toLowerCase().replaceAll('w', 'v').replaceAll('y', 'i');

/** Whether a literal is a word that no type but text reads as a value. */
export function isWord({ op }: Term): boolean {
  const found = word.exec(op)?.[1];
  return found !== undefined && !synonyms.has(found.toLowerCase());
}

/** Whether two literals differ, whatever the type and the collation that they are compared in. */
export function areUnequal(left: Term, right: Term): boolean {
  if (isWord(left) && isWord(right)) return spelling(left.op) !== spelling(right.op);
  return left !== right && isOfLiterals([left, right]);
}

/**
 * Texts in a form that differs for two of them only if they differ in whatever type and collation a column has them; null
 * if no such form is known. Of the words that a type may read as one value only one may be there.
 */
export function distinctForms(texts: readonly string[]): readonly string[] | null {
  if (texts.every((one) => /^[a-z_]\w{0,60}$/i.test(one)))
    return texts.map((one) => (synonyms.has(one.toLowerCase()) ? 'synonym' : spelling(one)));
  const isOfOne = [/^(0|[1-9]\d{0,8})$/, /^\d{4}-\d\d-\d\d$/].some((form) => texts.every((one) => form.test(one)));
  return isOfOne ? texts : null;
}

const isOfLiterals = ([left, right]: readonly Term[]): boolean =>
  left?.op.startsWith('literal ') === true &&
  left.op !== 'literal string ""' &&
  (left === right || [left, right].every((one) => /^literal number "(0|[1-9]\d{0,8})"$/.test(one?.op ?? '')));

const negated = (found: number): number => {
  const rest = found & value ? anything : found;
  return (rest & yes ? no : 0) | (rest & no ? yes : 0) | (rest & nothing);
};

function anyOf(all: readonly number[]): number {
  const found = all.map((one) => (one & value ? anything : one));
  const mayBeTrue = found.some((one) => one & yes);
  if (found.includes(yes)) return yes;
  const mayBeNull = found.some((one) => one & nothing);
  const mayBeFalse = found.every((one) => one & no);
  return (mayBeTrue ? yes : 0) | (mayBeNull ? nothing : 0) | (mayBeFalse ? no : 0);
}

/** Conditions and their values in turn, and the value of ELSE. */
function ofCase(found: readonly number[]): number {
  let result = 0;
  for (let place = 0; place + 1 < found.length; place += 2) {
    const condition = found[place] ?? anything;
    if (condition & (yes | value)) result |= found[place + 1] ?? anything;
    if (condition === yes) return result;
  }
  return result | (found.at(-1) ?? anything);
}

function ofCoalesce(found: readonly number[]): number {
  let result = 0;
  for (const one of found) {
    result |= one & ~nothing;
    if (!(one & nothing)) return result;
  }
  return result | nothing;
}

const never = (): boolean => false;

/** Whether a condition holds for no row if these parts are null. */
export const rejectsNull = (proof: Proof, term: Term, isNull: (part: Term) => boolean): boolean =>
  (outcomes(proof, term, isNull) & (yes | value)) === 0;

/** Whether a value is null if these parts are. */
const isNullWith = (proof: Proof, term: Term, isNull: (part: Term) => boolean): boolean =>
  outcomes(proof, term, isNull) === nothing;

export const alwaysHolds = (proof: Proof, term: Term): boolean => outcomes(proof, term, never) === yes;
export const neverHolds = (proof: Proof, term: Term): boolean => rejectsNull(proof, term, never);

/** The columns of these leaves, and the sides that have no others: null if no row matched. */
export const columnsOf =
  (proof: Proof, refs: ReadonlySet<Term>) =>
  (part: Term): boolean => {
    const { op, args } = part;
    const [first] = args;
    const side = proof.sides.get(part);
    const leaves = side ? leavesOf(side) : [];
    if (side) return leaves.length > 0 && leaves.every(({ ref }) => refs.has(ref));
    return first !== undefined && refs.has(first) && (op === 'read' || op === 'all' || op.startsWith('column '));
  };

/** Whether a value of a nullable side may be another one than null if no row matched. */
export const needsMark = (proof: Proof, side: Block, term: Term): boolean =>
  !isNullWith(proof, term, columnsOf(proof, new Set(leavesOf(side).map(({ ref }) => ref))));
