import type { SqlDialect } from './dialect.ts';
import { foldedName, type NameRules } from './name-rules.ts';
import type { Provenance } from './provenance.ts';
import type { Column, Row } from './row.ts';
import type { Fields, Syntax } from './syntax.ts';
import type { IndirectSubtype, RelationName, SqlName } from './types.ts';

/** Something that FROM brings into scope. */
export type Source = {
  /** The name by which its columns are qualified; null where it has none. */
  readonly alias: SqlName | null;
  /** The relation that is read, by whose name columns may be qualified too; null for what is no relation. */
  readonly relation: RelationName | null;
  readonly row: Row;
  /** What its own name stands for as a value: the element of an unnested array. Null where it stands for the whole row. */
  readonly element: Provenance | null;
};

/** A column that a join made one of those of several sources. */
export type Merged = { readonly column: Column; readonly of: readonly Source[] };

/** A common table expression; in ClickHouse also a named value. */
export type Cte = { readonly row: Row | null; readonly value: Provenance | null };

/** What names can mean at one place of a query. */
export type Scope = {
  readonly sources: readonly Source[];
  /** Columns that USING or NATURAL made one of several. */
  readonly merged: ReadonlyMap<string, Merged>;
  /** Aliases of the select list that may be named here. */
  readonly aliases: ReadonlyMap<string, Provenance>;
  readonly aliasUse: 'first' | 'last' | 'guess' | 'never';
  /** Parameters of lambdas, which are no columns. */
  readonly parameters: ReadonlySet<string>;
  readonly ctes: ReadonlyMap<string, Cte>;
  readonly windows: readonly Fields[];
  readonly outer: Scope | null;
};

/** The analysis of one statement: its rules, its evaluators, and what it notes on the way. */
export type Analysis = {
  readonly dialect: SqlDialect;
  readonly rules: NameRules;
  readonly columnsOf: (relation: RelationName) => readonly string[] | null;
  /** Evaluators are called through the analysis: queries, sources and expressions contain each other. */
  readonly query: (analysis: Analysis, node: Syntax, scope: Scope) => Row;
  readonly expression: (analysis: Analysis, node: unknown, scope: Scope) => Provenance;
  /** The scope with what one item of FROM adds to it. */
  readonly source: (analysis: Analysis, node: Syntax, scope: Scope) => Scope;
  readonly noteRead: (relation: RelationName) => void;
  readonly noteIndirect: (value: Provenance, subtype: IndirectSubtype) => void;
  /** Marks a query or relation as looked at: what never was is a part that is not understood. */
  readonly visit: (node: Fields) => void;
  /** Counts work, and gives up on a statement that takes too much. */
  readonly spend: (steps: number) => void;
};

export function scopeWithin(outer: Scope | null, ctes: ReadonlyMap<string, Cte>): Scope {
  return {
    sources: [],
    merged: new Map(),
    aliases: new Map(),
    aliasUse: 'never',
    parameters: new Set(),
    ctes,
    windows: [],
    outer,
  };
}

export function* scopesFrom(scope: Scope): Generator<Scope> {
  for (let at: Scope | null = scope; at !== null; at = at.outer) yield at;
}

/** The source that a qualifier of one or more parts means, innermost scope first. */
export function sourceNamed(rules: NameRules, scope: Scope, qualifier: RelationName): Source | null {
  for (const named of [hasAlias, hasRelation, isWithinRelation])
    for (const { sources } of scopesFrom(scope)) {
      const source = sources.find((candidate) => named(rules, candidate, qualifier));
      if (source !== undefined) return source;
    }
  return null;
}

function hasAlias(rules: NameRules, { alias }: Source, qualifier: RelationName): boolean {
  const [only, ...more] = qualifier;
  return (
    only !== undefined && more.length === 0 && alias !== null && foldedName(rules, alias) === foldedName(rules, only)
  );
}

/** A relation that is read by its last parts may be named by its whole path. */
function isWithinRelation(_rules: NameRules, { alias, relation }: Source, qualifier: RelationName): boolean {
  if (relation === null || alias === null || relation.at(-1) !== alias || qualifier.length <= relation.length)
    return false;
  const tail = qualifier.slice(-relation.length);
  return tail.every((part, place) => part.text.toLowerCase() === relation[place]?.text.toLowerCase());
}

/** A relation is also named by the last parts of its path; an alias hides them. */
function hasRelation(_rules: NameRules, { alias, relation }: Source, qualifier: RelationName): boolean {
  if (relation === null || alias === null || qualifier.length === 0 || qualifier.length > relation.length) return false;
  const tail = [...relation.slice(relation.length - qualifier.length, -1), alias];
  return tail.every((part, place) => part.text.toLowerCase() === qualifier[place]?.text.toLowerCase());
}
