import { foldedName, type NameRules } from '../../name-rules.ts';
import { nameOf, type SyntaxFields, tableNameOf } from '../../syntax.ts';
import { type Column, type Proof, type Query, type Term, Unproven } from './terms.ts';

/** An item of FROM. `sides`: the nullable sides of joins that it is on. */
export type Source = { readonly alias: string | null; readonly columns: readonly Column[]; readonly sides: Term[] };

export type Scope = {
  readonly sources: readonly Source[];
  /** The columns that USING joins. */
  readonly merged: ReadonlyMap<string, Term>;
  /** The items of the select list that names may mean. */
  readonly aliases: ReadonlyMap<string, Term>;
  readonly windows: ReadonlyMap<string, SyntaxFields>;
  readonly ctes: ReadonlyMap<string, () => Query>;
  readonly parent: Scope | null;
};

/** Of a query outside of all others. */
export const outermost: Scope = {
  sources: [],
  merged: new Map(),
  aliases: new Map(),
  windows: new Map(),
  ctes: new Map(),
  parent: null,
};

type Naming = { readonly proof: Proof; readonly rules: NameRules };

/** A column by the source that has it. */
export function columnOf({ proof, rules }: Naming, fields: SyntaxFields, scope: Scope): Term {
  const name = nameOf(fields['name']);
  const path = [...tableNameOf({ ...fields, name: null }), nameOf(fields['table'])].filter((one) => one !== null);
  if (name === null || fields['join_mark'] === true || path.length > 1) throw new Unproven();
  const folded = foldedName(rules, name);
  const [qualifier] = path;
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    proof.spend(at.sources.length);
    const found = qualifier
      ? qualifiedIn(proof, at, foldedName(rules, qualifier), folded)
      : namedIn(proof, rules, at, folded);
    if (found) return found;
  }
  throw new Unproven();
}

function qualifiedIn(proof: Proof, { sources }: Scope, alias: string, name: string): Term | null {
  const [source, second] = sources.filter((one) => one.alias === alias);
  if (source === undefined) return null;
  const found = second ? null : columnIn(proof, source, name);
  if (found === null) throw new Unproven();
  return found;
}

function namedIn(proof: Proof, rules: NameRules, scope: Scope, name: string): Term | null {
  const merged = scope.merged.get(name);
  const alias = scope.aliases.get(name) ?? null;
  const found = scope.sources.flatMap((source) => columnIn(proof, source, name) ?? []);
  const [column] = found;
  // A relation whose columns nobody lists may have a column of the alias's name, or not.
  if (alias && (column || merged)) throw new Unproven();
  if (merged) return merged;
  if (found.length > 1 || (alias && rules.listAliases === 'guess')) throw new Unproven();
  return column ?? alias;
}

/** Null if the source certainly has no such column. */
export function columnIn(proof: Proof, { columns, sides }: Source, name: string): Term | null {
  proof.spend(columns.length);
  const [known, other] = columns.filter((one) => one.name === name);
  if (known) {
    if (other) throw new Unproven();
    return extended(proof, known.term, sides);
  }
  const [star, second] = columns.filter((one) => one.name === null);
  if (star === undefined) return null;
  const found = second ? null : named(proof, star.term, name);
  if (found === null) throw new Unproven();
  return extended(proof, found, sides);
}

/** A value of the nullable side of a join: null if no row matched. */
export const extended = (proof: Proof, term: Term, sides: readonly Term[]): Term =>
  sides.reduce((at, side) => (/^(column |all$)/.test(at.op) ? at : proof.term('extended', side, at)), term);

/** One of all columns. Those of several branches go by their place: only columns of one table have one place by name. */
function named(proof: Proof, { op, args }: Term, name: string): Term | null {
  const [first, second] = args;
  if (op === 'all' && first) {
    const table = proof.tables.get(first);
    if (table) proof.reads.add(proof.term(`column ${name}`, table));
    return proof.term(`column ${name}`, first);
  }
  if (op === 'extended' && second) return named(proof, second, name);
  if (op === 'read' && first && second) {
    const inner = named(proof, second, name);
    return inner && proof.term('read', first, inner);
  }
  if (op !== 'tuple') return null;
  const tables = new Set(args.map((one) => (one.op === 'all' && one.args[0] ? proof.tables.get(one.args[0]) : one)));
  const parts = args.flatMap((one) => named(proof, one, name) ?? []);
  return tables.size === 1 && parts.length === args.length ? proof.term('tuple', ...parts) : null;
}
