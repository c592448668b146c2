import { needsMark } from './evaluate.ts';
import {
  allConditions,
  type Block,
  bare,
  isSteady,
  type Leaf,
  leavesOf,
  ownTerms,
  type Proof,
  type Query,
  someIn,
  type Term,
  Unproven,
} from './terms.ts';

/** The label of each leaf: equal in two queries of the same form. */
type Labels = { readonly of: ReadonlyMap<Term, Term>; readonly known: Map<Term, Term>; readonly depth: number };

const labelsWith = (labels: Labels, more: ReadonlyMap<Term, Term>): Labels => ({
  of: new Map([...labels.of, ...more]),
  known: new Map(),
  depth: labels.depth,
});

export const noLabels: Labels = { of: new Map(), known: new Map(), depth: 0 };

/** Operations whose operands have no order. */
const unordered: ReadonlySet<string> = new Set(['and', 'or', 'eq', 'neq', 'same', 'set']);

const inOrder = (terms: readonly Term[]): Term[] => [...new Set(terms)].sort((a, b) => a.place - b.place);
const withRepeats = (terms: readonly Term[]): Term[] => terms.toSorted((a, b) => a.place - b.place);

/** A query as one term: of two queries with the same one the rows and columns are the same. */
export function wholeForm(proof: Proof, query: Query, labels: Labels, isNamed: boolean): Term {
  const { form, label } = closed(proof, query, labels);
  const columns = query.columns.map(({ name, term }) =>
    proof.term(`as ${isNamed || name === null ? name : ''}`, label(term)),
  );
  return proof.term('query', form, ...columns);
}

/** The queries within a leaf, and the order of its branches. */
type Inside = { readonly all: readonly Closed[]; readonly order: readonly number[] };

const columnsWith = (proof: Proof, found: Closed | undefined, query: Query): Term =>
  proof.term('columns', ...query.columns.map((one) => found?.label(one.term) ?? one.term));

type Closed = { readonly form: Term; readonly label: (term: Term) => Term };

/** The form of a query without its columns, which are written with the labels that the form gave to its leaves. */
function closed(proof: Proof, query: Query, around: Labels): Closed {
  const { term, spend } = proof;
  const leaves = leavesOf(query);
  spend(around.of.size + leaves.length);
  const inside = new Map<Term, Inside>();
  const rowsOf = (leaf: Leaf, labels: Labels): Term => {
    if (leaf.table && leaf.branches.length === 0) return leaf.table;
    const deeper = { ...labels, known: new Map(), depth: labels.depth + 1 };
    if (leaf.table)
      return term('rows', leaf.table, ...leaf.branches.map((one) => wholeForm(proof, one, deeper, false)));
    const parts = leaf.query ? [leaf.query] : leaf.branches;
    const all = parts.map((one) => closed(proof, one, deeper));
    // Branches in the order of their forms and columns: one order for all columns.
    const wholes = parts.map((one, place) => columnsWith(proof, all[place], one));
    const order = [...all.keys()].sort(
      (a, b) =>
        (all[a]?.form.place ?? 0) - (all[b]?.form.place ?? 0) || (wholes[a]?.place ?? 0) - (wholes[b]?.place ?? 0),
    );
    inside.set(leaf.ref, { all, order });
    const forms = order.flatMap((place) => all[place]?.form ?? []);
    return term(leaf.query ? 'rows' : 'branches', ...forms);
  };
  const labeller = (labels: Labels) => labelled(proof, labels, inside);
  // Leaves differ by their rows, and then by the conditions and columns that read them.
  let colours = new Map(leaves.map((leaf) => [leaf.ref, rowsOf(leaf, around)]));
  const read = [...allConditions(query), ...ownTerms(query), ...query.columns.map((one) => one.term)];
  const readers = leaves.map(({ ref }) =>
    read.map((one, place) => ({ one, place })).filter(({ one }) => someIn(proof, [one], (part) => part === ref)),
  );
  for (let round = 0; round < (leaves.length > 1 ? 3 : 0); round++) {
    const next = leaves.map(({ ref }, at): [Term, Term] => {
      spend(leaves.length);
      const label = labeller(labelsWith(around, new Map([...colours, [ref, term('itself', colours.get(ref) ?? ref)]])));
      return [
        ref,
        term('colour', colours.get(ref) ?? ref, ...withRepeats((readers[at] ?? []).map(({ one }) => label(one)))),
      ];
    });
    colours = new Map(next);
  }
  const sorted = leaves.toSorted((a, b) => (colours.get(a.ref)?.place ?? 0) - (colours.get(b.ref)?.place ?? 0));
  const own = new Map(sorted.map(({ ref }, place) => [ref, term(`label ${around.depth} ${place}`)]));
  const labels = labelsWith(around, own);
  const label = labeller(labels);
  const named = (leaf: Leaf): Term => term('of', own.get(leaf.ref) ?? leaf.ref, rowsOf(leaf, labels));
  const setOf = (terms: readonly Term[]): Term => term('set', ...inOrder(terms));
  const fullForm = ({ left, right, on }: Block['fulls'][number]): Term =>
    term('full', setOf([blockForm(left), blockForm(right)]), setOf(on.map(label)));
  const blockForm = (block: Block): Term =>
    term(
      'block',
      setOf(block.leaves.map(named)),
      setOf(block.conditions.map(label)),
      setOf(block.outers.map(blockForm)),
      setOf(block.fulls.map(fullForm)),
    );
  const { group, qualify, limits, columns } = query;
  // What may differ for equal operands is a part of the rows, as whatever reads it twice gets it once.
  const unsteady = columns.filter((one) => !isSteady(one.term));
  const form = term(
    'form',
    blockForm(query),
    group
      ? term('group', setOf(group.keys.map(label)), setOf(group.having.map(label)), ...group.sets.map(label))
      : term('no group'),
    setOf(qualify.map(label)),
    term('list', ...limits.map(label)),
    term('list', ...unsteady.map((one) => label(one.term))),
  );
  return { form, label };
}

function labelled(proof: Proof, labels: Labels, inside: ReadonlyMap<Term, Inside>): (term: Term) => Term {
  const { term } = proof;
  const visit = (one: Term): Term => {
    const at = bare(proof, one);
    const found = labels.known.get(at) ?? written(at);
    labels.known.set(at, found);
    return found;
  };
  const written = (at: Term): Term => {
    const [first, second] = at.args;
    if (at.op === 'leaf') {
      const found = labels.of.get(at);
      if (!found) throw new Unproven();
      return found;
    }
    if (at.query) {
      const deeper = { ...labels, known: new Map(), depth: labels.depth + 1 };
      const query = at.op === 'exists' ? { ...at.query, columns: [] } : at.query;
      return term(at.op, wholeForm(proof, query, deeper, false), ...at.args.map(visit));
    }
    if (at.op === 'extended' && first && second) {
      const side = proof.sides.get(first);
      if (!side) throw new Unproven();
      const value = visit(second);
      if (!needsMark(proof, side, second)) return value;
      const leaves = leavesOf(side);
      // Sides of constants only would have one mark.
      if (leaves.length === 0) throw new Unproven();
      return term('extended', value, ...inOrder(leaves.map(({ ref }) => visit(ref))));
    }
    if (at.op === 'read' && first && second) return term('read', visit(first), ofInside(inside.get(first), second));
    const args = at.args.map(visit);
    if (at.op === 'and' || at.op === 'or' || at.op === 'set') return term(at.op, ...inOrder(args));
    return term(at.op, ...(unordered.has(at.op) ? withRepeats(args) : args));
  };
  const ofInside = (found: Inside | undefined, column: Term): Term => {
    if (!found) return column;
    if (column.op !== 'tuple') return found.all.length === 1 ? (found.all[0]?.label(column) ?? column) : column;
    const parts = found.order.flatMap((place) => {
      const [one, branch] = [column.args[place], found.all[place]];
      return one && branch ? [branch.label(one)] : [];
    });
    return term('tuple', ...parts);
  };
  return visit;
}
