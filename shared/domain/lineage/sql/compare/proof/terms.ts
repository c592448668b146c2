import type { Spend } from '../../../../base/budget.ts';
import { wordSet } from '../../syntax.ts';

/** A value of an expression, made once for each content. Relations that it reads are leaves. */
export type Term = {
  readonly op: string;
  readonly args: readonly Term[];
  /** Equal terms have one place, so that a list sorted by it has one order. */
  readonly place: number;
  /** Built of functions that are known to give one value for equal operands, without aggregates and windows. */
  readonly isPure: boolean;
  /** The subquery of EXISTS, IN or a scalar; written in its normal form at the end. */
  readonly query: Query | null;
};

/** An occurrence of a relation in FROM: a table, a query, or branches of a set operation. */
export type Leaf = {
  readonly ref: Term;
  readonly table: Term | null;
  readonly query: Query | null;
  readonly branches: readonly Query[];
};

/** Rows of all combinations of leaves that meet the conditions, each extended by its outer joins. */
export type Block = {
  leaves: Leaf[];
  outers: Outer[];
  fulls: Full[];
  conditions: Term[];
};

/** The nullable side of a left join; its conditions are those of ON. `ref` is its mark in `extended` terms. */
export type Outer = Block & { readonly ref: Term };
type Full = { readonly left: Outer; readonly right: Outer; on: Term[] };

/** `name` is null for all columns of a relation whose columns nobody lists. */
export type Column = { readonly name: string | null; readonly term: Term };

/** In this order: rows of the block, groups, windows with their conditions, and a limit. */
export type Query = Block & {
  group: Group | null;
  qualify: Term[];
  columns: readonly Column[];
  limits: readonly Term[];
};

/** `sets`: GROUPING SETS, ROLLUP or CUBE, whose order counts. DISTINCT is a group by all columns. */
type Group = { keys: Term[]; having: Term[]; readonly sets: readonly Term[] };

/** The two statements are not proven to be equal: one of them has something that no rule covers. */
export class Unproven extends Error {}

/** The rows of a table, in the order of their key: each column has the texts that its values are read from. */
export type Constants = {
  readonly columns: ReadonlyMap<string, readonly string[]>;
  readonly key: readonly string[];
  readonly rows: number;
};

/** Of the proof of one comparison, for both statements. */
export type Proof = {
  readonly spend: Spend;
  readonly term: (op: string, ...args: readonly Term[]) => Term;
  readonly ofQuery: (op: string, query: Query, ...args: readonly Term[]) => Term;
  /** A term that is equal to no other: a leaf, or the nullable side of a join. */
  readonly unique: (op: string) => Term;
  /** Leaves whose query became a part of the block around them. */
  readonly inlined: Set<Term>;
  /** Sides of outer joins that a condition makes inner ones. */
  readonly met: Set<Term>;
  /** The leaves of each nullable side. */
  readonly sides: Map<Term, Block>;
  /** The tables that leaves are. */
  readonly tables: Map<Term, Term>;
  /** Leaves of groups. */
  readonly grouped: Set<Term>;
  /** Columns of days or moments without a time zone. */
  readonly dates: Set<Term>;
  /** The rows of tables that are known. */
  readonly constants: Map<Term, Constants>;
  /** The columns that a statement reads of relations outside of it: one of them may not be there. */
  readonly reads: Set<Term>;
};

export function proofOf(spend: Spend): Proof {
  const known = new Map<string, Term>();
  let places = 0;
  const made = (op: string, args: readonly Term[], query: Query | null): Term => ({
    op,
    args,
    place: places++,
    isPure:
      op === 'read' ||
      (isPureOp(op) &&
        args.every((one) => one.isPure) &&
        (query === null || blockTerms(query).every((one) => one.isPure))),
    query,
  });
  return {
    spend,
    term: (op, ...args) => {
      spend(args.length + 1);
      const key = JSON.stringify([op, ...args.map((one) => one.place)]);
      const found = known.get(key) ?? made(op, args, null);
      known.set(key, found);
      return found;
    },
    ofQuery: (op, query, ...args) => made(op, args, query),
    unique: (op) => made(op, [], null),
    inlined: new Set(),
    met: new Set(),
    sides: new Map(),
    tables: new Map(),
    constants: new Map(),
    dates: new Set(),
    grouped: new Set(),
    reads: new Set(),
  };
}

/** Operations that give one value for equal operands; names of columns and values of literals follow the first word. */
const pure = wordSet(
  `leaf side column all read place tuple extended literal boolean null and or not eq neq lt lte same add sub mul div mod neg cast
  is_null in case coalesce nullif like i_like concat upper lower abs subscript exists fields text value name list set united truncated`,
);
const isPureOp = (op: string): boolean => pure.has(op.split(' ', 1)[0] ?? op);

/** The term itself: columns of inlined queries, and values of a side that is always there, are what they were made of. */
export function bare({ inlined, met }: Proof, term: Term): Term {
  let at = term;
  for (;;) {
    const [first, second] = at.args;
    const isOpen = first && ((at.op === 'read' && inlined.has(first)) || (at.op === 'extended' && met.has(first)));
    if (!isOpen || !second) return at;
    at = second;
  }
}

/** The value in a branch of a union, before the union gives it the type that all branches have. */
export function ofBranch(proof: Proof, term: Term): Term {
  const at = bare(proof, term);
  const [first] = at.args;
  return at.op === 'united' && first ? bare(proof, first) : at;
}

/** Whether a term holds such a part, also in its subqueries. */
export function someIn(proof: Proof, terms: readonly Term[], isOne: (term: Term) => boolean): boolean {
  const seen = new Set<Term>();
  const open = [...terms];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const term = bare(proof, next);
    if (seen.has(term)) continue;
    seen.add(term);
    proof.spend(1);
    if (isOne(term)) return true;
    // The formula of a column of a query concerns only that query.
    open.push(...(term.op === 'read' ? term.args.slice(0, 1) : term.args));
    if (term.query) open.push(...termsOf(term.query));
  }
  return false;
}

/** Rebuilds a term from the outside; `change` returns null to keep a part. */
export function rewritten(proof: Proof, term: Term, change: (term: Term) => Term | null): Term {
  const known = new Map<Term, Term>();
  const visit = (one: Term): Term => {
    const at = bare(proof, one);
    const found = known.get(at) ?? change(at) ?? rebuilt(at);
    known.set(at, found);
    return found;
  };
  const rebuilt = (at: Term): Term => {
    if (at.query) throw new Unproven();
    if (at.args.length === 0 || at.op === 'read') return at;
    const args = at.args.map(visit);
    return args.every((arg, place) => arg === at.args[place]) ? at : proof.term(at.op, ...args);
  };
  return visit(term);
}

export const leavesOf = (block: Block): readonly Leaf[] => [
  ...block.leaves,
  ...block.outers.flatMap(leavesOf),
  ...block.fulls.flatMap(({ left, right }) => [...leavesOf(left), ...leavesOf(right)]),
];

/** The conditions of a block and of its outer joins. */
export const allConditions = (block: Block): readonly Term[] => [
  ...block.conditions,
  ...block.outers.flatMap(allConditions),
  ...block.fulls.flatMap(({ left, right, on }) => [...allConditions(left), ...allConditions(right), ...on]),
];

const blockTerms = (block: Block): readonly Term[] => [
  ...block.conditions,
  ...block.outers.flatMap(blockTerms),
  ...block.fulls.flatMap(({ left, right, on }) => [...blockTerms(left), ...blockTerms(right), ...on]),
  ...block.leaves.flatMap(({ query, branches }) => [...(query ? termsOf(query) : []), ...branches.flatMap(termsOf)]),
];

/** All terms of a query, and of those within it. */
export const termsOf = (query: Query): readonly Term[] => [
  ...blockTerms(query),
  ...ownTerms(query),
  ...columnTerms(query),
];

export const columnTerms = ({ columns }: Pick<Query, 'columns'>): readonly Term[] => columns.map(({ term }) => term);

/** The terms of a query beside its block and its columns. */
export const ownTerms = ({ group, qualify, limits }: Query): readonly Term[] => [
  ...(group ? [...group.keys, ...group.having, ...group.sets] : []),
  ...qualify,
  ...limits,
];

/** A literal that is never null: Oracle's '' is. */
export const isValue = ({ op }: Term): boolean => /^literal (number|string "[^"])/.test(op);

export const isAggregateTerm = ({ op }: Term): boolean => op.startsWith('aggregate ');
export const isWindowTerm = ({ op }: Term): boolean => op === 'node window_function';

/** Gives one value wherever it is computed in the stages of a query. */
export const isSteady = (term: Term): boolean =>
  term.isPure || isAggregateTerm(term) || isWindowTerm(term) || (isPureOp(term.op) && term.args.every(isSteady));

export const emptyBlock = (): Block => ({ leaves: [], outers: [], fulls: [], conditions: [] });

/** A query that only gives columns of the rows of a block. */
export const queryOver = (block: Block, columns: readonly Column[]): Query => ({
  ...block,
  group: null,
  qualify: [],
  columns,
  limits: [],
});

/** Puts the rows of one block beside those of another. */
export function join(into: Block, { leaves, outers, fulls, conditions }: Block): void {
  into.leaves.push(...leaves);
  into.outers.push(...outers);
  into.fulls.push(...fulls);
  into.conditions.push(...conditions);
}
