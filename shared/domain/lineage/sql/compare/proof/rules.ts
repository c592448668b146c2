import { pushConditions, withoutImplied } from './conditions.ts';
import { columnsOf, neverHolds, rejectsNull } from './evaluate.ts';
import { conjunctsOf } from './logic.ts';
import { regroup } from './regroup.ts';
import {
  allConditions,
  type Block,
  bare,
  columnTerms,
  isAggregateTerm,
  isWindowTerm,
  join,
  type Leaf,
  leavesOf,
  type Outer,
  ownTerms,
  type Proof,
  type Query,
  rewritten,
  someIn,
  type Term,
  termsOf,
} from './terms.ts';

/** Applies each rule as far as its precondition is met. The result has the same rows and columns, each as often. */
export function simplify(proof: Proof, query: Query): Query {
  const found = { ...query };
  regroup(proof, found);
  moveKeyConditions(proof, found);
  joinMatched(proof, found);
  for (const block of [found, ...found.outers])
    block.conditions = withoutImplied(
      proof,
      block.conditions.flatMap((one) => conditionsOf(proof, one)),
    );
  for (const block of [found, ...found.outers]) pushConditions(proof, block, (branch) => simplify(proof, branch));
  if (found.conditions.some((one) => neverHolds(proof, one)))
    Object.assign(found, { leaves: [], outers: [], fulls: [], conditions: [proof.term('boolean false')] });
  dropConstantKeys(proof, found);
  countDistinctRows(proof, found);
  groupUniqueRows(proof, found);
  if (found.group && hasSetResult(proof, found)) forgetDuplicates(proof, found);
  for (;;) {
    const unread = found.outers.find((one) => hasOneRow(one) && !isRead(proof, found, one));
    if (!unread) return found;
    found.outers = found.outers.filter((one) => one !== unread);
  }
}

/** The condition of a row that a left join extends by nulls is not met: the join is an inner one. */
function joinMatched(proof: Proof, block: Block): void {
  const rejects = (side: Block): boolean => {
    const isNull = columnsOf(proof, new Set(leavesOf(side).map(({ ref }) => ref)));
    proof.spend(block.conditions.length + 1);
    return block.conditions.some((one) => rejectsNull(proof, one, isNull));
  };
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const outer of block.outers.filter(rejects)) {
      block.outers = block.outers.filter((one) => one !== outer);
      meet(proof, block, outer);
      isDone = false;
    }
    for (const full of block.fulls) {
      const [left, right] = [rejects(full.left), rejects(full.right)];
      if (!left && !right) continue;
      block.fulls = block.fulls.filter((one) => one !== full);
      // The side that is always there; the other one is extended.
      const [there, other] = left ? [full.left, full.right] : [full.right, full.left];
      meet(proof, block, there);
      other.conditions = [...other.conditions, ...full.on];
      block.outers = [...block.outers, other];
      isDone = false;
    }
  }
  for (const outer of block.outers) joinMatched(proof, outer);
}

function meet(proof: Proof, block: Block, side: Outer): void {
  proof.met.add(side.ref);
  join(block, side);
}

/** A condition on keys holds for all rows of a group or for none. */
function moveKeyConditions(proof: Proof, query: Query): void {
  const { group } = query;
  if (!group || group.keys.length === 0 || group.sets.length > 0) return;
  const keys = new Set(group.keys.map((one) => bare(proof, one)));
  const own = new Set(leavesOf(query).map(({ ref }) => ref));
  const isOwn = (ref: Term | undefined): boolean => ref === undefined || own.has(ref);
  const moved = group.having.filter((one) => one.isPure && isOfKeys(proof, one, keys, isOwn));
  query.conditions = [...query.conditions, ...moved];
  query.group = { ...group, having: group.having.filter((one) => !moved.includes(one)) };
}

/** Values of the query around this one are those of one row. */
function isOfKeys(
  proof: Proof,
  term: Term,
  keys: ReadonlySet<Term>,
  isOwn: (ref: Term | undefined) => boolean,
): boolean {
  const at = bare(proof, term);
  proof.spend(1);
  if (keys.has(at)) return true;
  if (at.query) return false;
  if (at.op === 'leaf') return !isOwn(at);
  if (at.op === 'read') return !isOwn(at.args[0]);
  return at.args.every((one) => isOfKeys(proof, one, keys, isOwn));
}

/** Whether a value of the list reads only keys and aggregates. */
export function isOfGroup(proof: Proof, term: Term, keys: ReadonlySet<Term>): boolean {
  const at = bare(proof, term);
  proof.spend(1);
  if (keys.has(at) || isAggregateTerm(at)) return true;
  return (
    at.query === null && at.op !== 'read' && at.op !== 'leaf' && at.args.every((one) => isOfGroup(proof, one, keys))
  );
}

/** What must be true of a row. `x in (select y …)` is true if there is a row with `x = y`. */
export const conditionsOf = (proof: Proof, term: Term): Term[] =>
  conjunctsOf(proof, term).map((one) => {
    const [tested] = one.args;
    const [column, second] = one.query?.columns ?? [];
    if (one.op !== 'in' || !one.query || !tested || !column || second || column.name === null) return one;
    const { query } = one;
    if (query.qualify.length + query.limits.length > 0) return one;
    const equal = proof.term('eq', tested, column.term);
    const having = query.group && { ...query.group, having: [...query.group.having, equal] };
    return exists(proof, having ? { ...query, group: having } : { ...query, conditions: [...query.conditions, equal] });
  });

/** EXISTS asks for one row: how often it is there, and what its columns are, makes no difference. */
export function exists(proof: Proof, query: Query): Term {
  const { group } = query;
  const found = simplify(proof, { ...query, columns: query.group ? query.columns : [] });
  if (found.qualify.length + found.limits.length === 0) {
    const isOneRow = group?.keys.length === 0 && group.sets.length + group.having.length === 0;
    // An aggregate without keys gives one row, whatever it reads.
    if (isOneRow) return proof.term('boolean true');
    if (found.group && found.group.keys.length > 0 && found.group.having.length + found.group.sets.length === 0)
      found.group = null;
    found.columns = [];
    if (!found.group) forgetDuplicates(proof, found);
  }
  return proof.ofQuery('exists', found);
}

function dropConstantKeys(proof: Proof, query: Query): void {
  const { group } = query;
  if (!group || group.sets.length > 0) return;
  const isConstant = (key: Term) =>
    key.isPure && !someIn(proof, [key], ({ op, query: inner }) => op === 'leaf' || inner !== null);
  const keys = group.keys.filter((key) => !isConstant(key));
  // Without any key there is one group even of no row.
  if (keys.length > 0) query.group = { ...group, keys };
}

const outerTerms = (query: Query): readonly Term[] => [...columnTerms(query), ...ownTerms(query)];

/** Aggregates that ignore repeated rows. */
const onceOnly = /^aggregate (min|max|logical_and|logical_or|bitwise_and_agg|bitwise_or_agg|(sum|count|avg) distinct)$/;

/** Whether the result is the same if rows of the block are there more or less often. */
const hasSetResult = (proof: Proof, query: Query): boolean =>
  !someIn(proof, outerTerms(query), (one) => isAggregateTerm(one) && !onceOnly.test(one.op));

/** Rows may be there once or more often: what removes duplicates goes, and joins that only repeat rows go. A condition that is a matter of luck is met sooner by more rows. */
function forgetDuplicates(proof: Proof, query: Query): void {
  if (!allConditions(query).every((one) => one.isPure)) return;
  forgetIn(proof, query);
  query.outers = query.outers.filter((one) => isRead(proof, query, one));
}

function forgetIn(proof: Proof, block: Block): void {
  for (const leaf of [...block.leaves]) {
    proof.spend(1);
    for (const branch of leaf.table ? [] : leaf.branches) {
      if (!isDistinctOnly(proof, branch)) continue;
      branch.group = null;
      forgetDuplicates(proof, branch);
    }
    if (!leaf.query || !isDistinctOnly(proof, leaf.query)) continue;
    proof.inlined.add(leaf.ref);
    block.leaves = block.leaves.filter((one) => one !== leaf);
    forgetIn(proof, leaf.query);
    join(block, leaf.query);
  }
  for (const outer of block.outers) forgetIn(proof, outer);
  for (const { left, right } of block.fulls) for (const side of [left, right]) forgetIn(proof, side);
}

/** Groups without aggregates, windows and a limit: the distinct rows of the block. */
function isDistinctOnly(proof: Proof, query: Query): boolean {
  const { group, qualify, limits } = query;
  if (!group || group.keys.length === 0 || group.sets.length + group.having.length + qualify.length + limits.length > 0)
    return false;
  const terms = columnTerms(query);
  return (
    [...terms, ...query.conditions].every((one) => one.isPure) &&
    !someIn(proof, terms, (one) => isAggregateTerm(one) || isWindowTerm(one))
  );
}

/** Whether anything but the join itself needs this side. */
function isRead(proof: Proof, query: Query, side: Outer): boolean {
  const refs = new Set(leavesOf(side).map(({ ref }) => ref));
  const others = { ...query, outers: query.outers.filter((one) => one !== side) };
  return someIn(proof, termsOf(others), (one) => refs.has(one) || one === side.ref);
}

/** An aggregate without keys has one row; with keys, values of another type may be equal to several of them. */
function hasOneRow({ leaves, outers, fulls }: Outer): boolean {
  const [leaf, second] = leaves;
  const group = leaf?.query?.group;
  return !second && outers.length + fulls.length === 0 && group?.keys.length === 0 && group.sets.length === 0;
}

/** An aggregate over the distinct values of one column is a distinct one over all rows. */
function countDistinctRows(proof: Proof, query: Query): void {
  const { group } = query;
  const [leaf, second] = query.leaves;
  const inner = leaf?.query;
  if (!group || group.sets.length > 0 || !leaf || second || !inner || !isDistinctOnly(proof, inner)) return;
  if (query.outers.length + query.fulls.length > 0 || !query.conditions.every((one) => one.isPure)) return;
  const open = (term: Term | undefined): Term | null =>
    term?.op === 'read' && term.args[0] === leaf.ref ? (term.args[1] ?? null) : null;
  const keys = new Set(group.keys.map((key) => open(key)));
  const rest = (inner.group?.keys ?? []).filter((key) => !keys.has(key));
  const [counted, other] = rest;
  if (other || !counted || keys.has(null)) return;
  const isFit = (one: Term): boolean =>
    onceOnly.test(one.op) || (/^aggregate (sum|count|avg)$/.test(one.op) && open(one.args[0]) === counted);
  if (someIn(proof, outerTerms(query), (one) => isAggregateTerm(one) && !isFit(one))) return;
  const change = (one: Term): Term | null =>
    isAggregateTerm(one) && !onceOnly.test(one.op) ? proof.term(`${one.op} distinct`, ...one.args) : null;
  const all = (terms: readonly Term[]) => terms.map((one) => rewritten(proof, one, change));
  query.columns = query.columns.map(({ name, term }) => ({ name, term: rewritten(proof, term, change) }));
  query.group = { ...group, having: all(group.having) };
  query.qualify = all(query.qualify);
}

/** If all keys of distinct relations are in the list, no row is there twice. */
function groupUniqueRows(proof: Proof, query: Query): void {
  if (query.group || query.qualify.length + query.limits.length + query.fulls.length > 0) return;
  if (
    query.leaves.length === 0 ||
    query.outers.some(({ leaves, outers, fulls }) => leaves.length !== 1 || outers.length + fulls.length > 0)
  )
    return;
  const terms = columnTerms(query).map((one) => bare(proof, one));
  const given = new Set(terms.map((one) => (one.op === 'extended' ? bare(proof, one.args[1] ?? one) : one)));
  const isUnique = leavesOf(query).every(
    (leaf) =>
      areBranchesUnique(leaf, terms) ||
      (leaf.query &&
        isDistinctOnly(proof, leaf.query) &&
        leaf.query.group?.keys.every((key) => given.has(proof.term('read', leaf.ref, key)))),
  );
  if (isUnique && terms.every((one) => one.isPure)) query.group = { keys: [...new Set(terms)], having: [], sets: [] };
}

/** Branches of UNION ALL without repeated rows, each with another literal in one column. */
function areBranchesUnique({ ref, table, branches }: Leaf, columns: readonly Term[]): boolean {
  if (table || branches.length === 0) return false;
  const tuples = columns.flatMap(({ op, args: [read, tuple] }) =>
    op === 'read' && read === ref && tuple?.op === 'tuple' ? [tuple.args] : [],
  );
  // Of one type, since a number may equal a text. Some databases compare texts without their case and the spaces at the end.
  const isApart = tuples.some(
    (parts) =>
      [/^literal number "(0|[1-9]\d{0,8})"$/, /^literal string "\w{1,60}"$/].some((one) =>
        parts.every(({ op }) => one.test(op)),
      ) && new Set(parts.map(({ op }) => op.toLowerCase())).size === parts.length,
  );
  const isUnique = ({ group }: Query, place: number): boolean =>
    group !== null &&
    group.keys.length > 0 &&
    group.sets.length === 0 &&
    group.keys.every((key) => tuples.some((parts) => parts[place] === key));
  return isApart && branches.every(isUnique);
}
