import { alwaysHolds, areUnequal, isWord, neverHolds } from './evaluate.ts';
import { bare, isValue, ofBranch, type Proof, type Term } from './terms.ts';

const parts = (kind: string, terms: readonly Term[]): Term[] =>
  terms.flatMap((term) => (term.op === kind ? parts(kind, term.args) : [term]));

/** AND of all; no part twice. */
export function allOf(proof: Proof, terms: readonly Term[]): Term {
  const all = [...new Set(parts('and', terms))].filter((one) => one.op !== 'boolean true');
  const [only] = all;
  if (all.some((one) => one.op === 'boolean false')) return proof.term('boolean false');
  return only === undefined ? proof.term('boolean true') : all.length === 1 ? only : proof.term('and', ...all);
}

/** OR of all; no part twice. */
export function oneOf(proof: Proof, terms: readonly Term[]): Term {
  const all = [...new Set(parts('or', terms))].filter((one) => one.op !== 'boolean false');
  const [only] = all;
  const isCertain = all.some((one) => one.op === 'boolean true') || hasBoth(all);
  if (isCertain) return proof.term('boolean true');
  return only === undefined ? proof.term('boolean false') : all.length === 1 ? only : proof.term('or', ...all);
}

/** `x is null or x is not null`. */
function hasBoth(terms: readonly Term[]): boolean {
  const nulls = new Set(terms.filter(({ op }) => op === 'is_null'));
  return terms.some(({ op, args: [first] }) => op === 'not' && first !== undefined && nulls.has(first));
}

/** NOT moved inwards. Not into `<` and `<=`: some databases compare NaN to nothing. */
export function negation(proof: Proof, term: Term): Term {
  const { op, args } = term;
  const opposite = opposites.get(op);
  if (opposite !== undefined) return proof.term(opposite, ...args);
  const negated = () => args.map((one) => negation(proof, one));
  if (op === 'and') return oneOf(proof, negated());
  if (op === 'or') return allOf(proof, negated());
  const [first] = args;
  return op === 'not' && first && isCondition(first) ? first : proof.term('not', term);
}

const opposites: ReadonlyMap<string, string> = new Map([
  ['eq', 'neq'],
  ['neq', 'eq'],
  ['boolean true', 'boolean false'],
  ['boolean false', 'boolean true'],
]);

/** Operations that give truth values, so that a second NOT gives them back. */
const isCondition = ({ op }: Term): boolean =>
  ['is_null', 'exists', 'in', 'like', 'i_like', 'lt', 'lte', 'same'].includes(op);

/** CASE with conditions. Branches that cannot be reached go if they are nulls or literals like the others, so that the type stays. */
export function searched(proof: Proof, whens: readonly (readonly [Term, Term])[], other: Term): Term {
  const results = [...whens.map(([, result]) => result), other].filter(({ op }) => op !== 'null');
  const isOfOneType =
    new Set(results.map((one) => /^(literal (number "\d{1,9}"$|string)|boolean)/.exec(one.op)?.[1] ?? one)).size <= 1;
  const kept: (readonly [Term, Term])[] = [];
  let last = other;
  for (const [condition, result] of whens) {
    if (isOfOneType && neverHolds(proof, condition)) continue;
    if (isOfOneType && alwaysHolds(proof, condition)) {
      last = result;
      break;
    }
    kept.push([condition, result]);
  }
  return kept.length === 0 ? last : proof.term('case', ...kept.flat(), last);
}

/** What must be true of a row that a condition lets through, in parts: null and false are the same there. */
export function conjunctsOf(proof: Proof, term: Term): Term[] {
  const at = whenTrue(proof, bare(proof, term));
  if (at.op === 'and') return at.args.flatMap((one) => conjunctsOf(proof, one));
  return alwaysHolds(proof, at) ? [] : [at];
}

/** A condition that is true for the same rows, though it may be false where the other is null. */
function whenTrue(proof: Proof, term: Term): Term {
  const { op, args } = term;
  const [first, second, third] = args;
  const inner = () => args.map((one) => whenTrue(proof, one));
  if (op === 'and') return allOf(proof, inner());
  if (op === 'or') return unequalToBoth(proof, oneOf(proof, inner()));
  if (op === 'is_true' && first) return whenTrue(proof, first);
  if (op === 'same' && first && second && [first, second].some(isValue)) return proof.term('eq', first, second);
  const isChoice = op === 'case' && args.length === 3 && second?.op === 'boolean true';
  if (isChoice && first && third && (third.op === 'boolean false' || third.op === 'null'))
    return whenTrue(proof, first);
  if (op === 'coalesce' && args.length === 2 && second?.op === 'boolean false' && first) return whenTrue(proof, first);
  const tested = op === 'is_null' && first ? ofBranch(proof, first) : null;
  if (tested?.op === 'case') return decided(proof, tested, (one) => one.op === 'null') ?? term;
  return comparedWord(proof, term) ?? term;
}

/** `coalesce(x, 'a') = 'b'` is `x = 'b'`, and `coalesce(x, 'a') <> 'b'` is `x is null or x <> 'b'`. */
function comparedWord(proof: Proof, { op, args }: Term): Term | null {
  const word = args.find(isWord);
  const tested = args.find((one) => one !== word);
  if ((op !== 'eq' && op !== 'neq') || !word || !tested) return null;
  const within = (one: Term): Term => (tested.op === 'united' ? proof.term('united', one) : one);
  const value = ofBranch(proof, tested);
  const { op: kind, args: values, isPure } = value;
  const isMet = (one: Term) => (one === word ? op === 'eq' : areUnequal(one, word) ? op === 'neq' : null);
  if (kind === 'case') return decided(proof, value, (one) => (one.op === 'null' ? false : isMet(one)));
  const last = values.at(-1);
  const [first, second] = values;
  if (kind !== 'coalesce' || !isPure || !last || !first || !second) return null;
  if (last !== word && !areUnequal(last, word)) return null;
  const rest = within(values.length === 2 ? first : proof.term('coalesce', ...values.slice(0, -1)));
  const compared = proof.term(op, rest, word);
  const isTrueOfNull = (op === 'eq') === (last === word);
  return whenTrue(proof, isTrueOfNull ? oneOf(proof, [proof.term('is_null', rest), compared]) : compared);
}

/** A condition on a CASE of words and NULLs: `isTrue` says which meet it, or null if that is not known. */
function decided(proof: Proof, term: Term, isTrue: (result: Term) => boolean | null): Term | null {
  const results = term.args.map((one, place) => {
    if (place % 2 === 0 && place < term.args.length - 1) return one;
    const found = one.op === 'null' || isWord(one) ? isTrue(one) : null;
    return found === null ? null : proof.term(`boolean ${found}`);
  });
  return term.isPure && results.every((one) => one !== null) ? proof.term('case', ...results) : null;
}

/** `x <> 7 or x <> 8` is true of whatever is not null. */
function unequalToBoth(proof: Proof, term: Term): Term {
  if (term.op !== 'or' || !term.args.every((one) => one.op === 'neq')) return term;
  const [tested, other] = [0, 1].map((place) => new Set(term.args.map(({ args }) => args[place])));
  const [only] = tested ?? [];
  const isOfOne =
    tested?.size === 1 &&
    other?.size === term.args.length &&
    [...other].every((one) => /^literal number "\d{1,9}"$/.test(one?.op ?? ''));
  return isOfOne && only ? proof.term('not', proof.term('is_null', only)) : term;
}
