import { sortedBy } from '../../base/collections.ts';
import type { ScopeId, Urn } from '../graph/node.ts';
import { type RelationSchema, type SchemaColumn, type SchemaId, throughStar } from '../graph/schema.ts';
import { holders } from './columns.ts';

/** What one scope states of a relation's columns, and when it did. */
export type StatedSchema = {
  readonly schema: SchemaId;
  readonly scope: ScopeId;
  /** ISO time. */
  readonly at: string;
  /** Its place among the statements of its scope. */
  readonly rank: string;
  readonly content: RelationSchema;
};

export type KnownColumn = SchemaColumn & {
  readonly scopes: ReadonlySet<ScopeId>;
  /** Whether the next run of the relation itself needs it. */
  readonly isOwn: boolean;
};

/** The columns that a relation is known to have; one that is not complete may have more. */
export type KnownRelation = {
  /** By name in lower case, in their order. */
  readonly columns: ReadonlyMap<string, KnownColumn>;
  readonly complete: boolean;
};

/** The newest complete list, else all that any names (C-COLUMNS-1). Passed-on columns are as complete as theirs. */
export function knownRelation(
  stated: readonly StatedSchema[],
  columnsOf: (relation: Urn) => KnownRelation | null,
): KnownRelation | null {
  const lists = countedSchemas(stated).map((one) => withStars(one, columnsOf));
  const complete = lists.findLast((list) => list.complete && list.columns.size > 0);
  const all = lists.flatMap((list) => [...list.columns]);
  const columns = new Map(complete ? [...complete.columns, ...all.filter(([name]) => isFieldOf(complete, name))] : all);
  return columns.size > 0 ? { columns: joined(columns, lists), complete: complete !== undefined } : null;
}

/** A list of columns says nothing about the fields within them. */
const isFieldOf = ({ columns }: KnownRelation, name: string): boolean =>
  !columns.has(name) && holders(name).some((holder) => columns.has(holder));

/** The statements that count, oldest first: of one scope its newest list, and its newest part of one. */
export function countedSchemas(stated: readonly StatedSchema[]): readonly StatedSchema[] {
  const ranked = sortedBy(
    stated,
    ({ rank }) => rank,
    ({ schema }) => schema,
  );
  return sortedBy(
    new Map(ranked.map((one) => [`${one.scope} ${one.content.complete}`, one])).values(),
    ({ at }) => at,
    ({ schema }) => schema,
    ({ scope }) => scope,
  );
}

/** Every source that names a column describes it; a list of names takes the types that another states, for SQL tells none. */
function joined(columns: KnownRelation['columns'], lists: readonly KnownRelation[]): KnownRelation['columns'] {
  return new Map(
    [...columns].map(([key, column]) => {
      const named = lists.flatMap((list) => list.columns.get(key) ?? []);
      const type = column.type ?? named.findLast((one) => one.type !== null)?.type ?? null;
      const scopes = new Set(named.flatMap((one) => [...one.scopes]));
      return [key, { name: column.name, type, scopes, isOwn: named.some(({ isOwn }) => isOwn) }];
    }),
  );
}

function withStars(
  { scope, content: { columns, stars, complete, own = [] } }: StatedSchema,
  columnsOf: (relation: Urn) => KnownRelation | null,
): KnownRelation {
  const passedOn = stars.map((star) => ({ star, known: columnsOf(star.of) }));
  const all = [
    ...columns,
    ...passedOn.flatMap(({ star, known }) =>
      [...(known?.columns.values() ?? [])].flatMap(({ name, type }) => {
        const passed = throughStar(star, name);
        return passed === null ? [] : [{ name: passed, type }];
      }),
    ),
  ];
  const scopes = new Set([scope]);
  return {
    columns: new Map(
      all.map(({ name, type }) => [name.toLowerCase(), { name, type, scopes, isOwn: own.includes(name) }]),
    ),
    complete: complete && passedOn.every(({ known }) => known?.complete === true),
  };
}
