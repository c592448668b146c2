import { type GraphId, type NodeId, nodeId, type Urn } from './node.ts';

export type RelationSchema = {
  /** In the order of the relation. */
  readonly columns: readonly SchemaColumn[];
  /** What it passes on of other relations whose columns the source does not tell: `select *`. */
  readonly stars: readonly SchemaStar[];
  /** Whether the columns, with those that the stars represent, are all that the relation has. */
  readonly complete: boolean;
  /** Those of the columns that the next run of the relation itself needs. */
  readonly own?: readonly string[];
};

export type SchemaColumn = { readonly name: string; readonly type: string | null };

/** Which columns `*` over a relation represents; names are compared without case. */
export type Star = {
  readonly except: readonly string[];
  /** Pairs of the name that a column has and the one that it gets. */
  readonly renamed: readonly (readonly [string, string])[];
};

export type SchemaStar = Star & { readonly of: Urn };

/** Names the content of a schema: equal schemas are stored once, and who states one again writes no more than that. */
export type SchemaId = NodeId & { readonly __schema: true };

export const schemaId = (schema: RelationSchema): SchemaId => nodeId(`schema:${textOf(schema)}` as Urn) as SchemaId;

/** In place of a schema: the scope's job reads the relation and reports no output (C-OPENLINEAGE-27). */
export const readWithoutOutput = nodeId('schema:read without output' as Urn) as SchemaId;

const textOf = ({ columns, stars, complete, own = [] }: RelationSchema): string =>
  JSON.stringify([
    columns.map(({ name, type }) => [name, type]),
    stars.map(({ of, except, renamed }) => [of, except, renamed]),
    complete,
    ...(own.length > 0 ? [own] : []),
  ]);

/** A source's statement about the columns of one relation. */
export type Described = { readonly node: Urn; readonly schema: SchemaId };

/** So that no list of names outgrows an item of the store. */
const mostCharacters = 200_000;

/** The schema, cut to what is stored of one: what was cut leaves it known in part. */
export function boundedSchema(schema: RelationSchema): RelationSchema {
  let characters = 0;
  const remaining = schema.columns.filter(({ name, type }) => {
    characters += name.length + (type?.length ?? 0) + 8;
    return characters <= mostCharacters;
  });
  return remaining.length === schema.columns.length ? schema : { ...schema, columns: remaining, complete: false };
}

/** The column that a star makes of one of its relation; null if it leaves that one out. */
export function throughStar({ except, renamed }: Star, column: string): string | null {
  const name = column.toLowerCase();
  if (except.some((one) => one.toLowerCase() === name)) return null;
  return renamed.find(([from]) => from.toLowerCase() === name)?.[1] ?? column;
}

/** The source column that a star expands to this name, if the relation has it; null if it cannot be one. */
export function columnBehindStar({ except, renamed }: Star, column: string): string | null {
  const name = column.toLowerCase();
  const before = renamed.find(([, to]) => to.toLowerCase() === name);
  if (before) return before[0];
  const isGone = [...except, ...renamed.map(([from]) => from)].some((one) => one.toLowerCase() === name);
  return isGone ? null : column;
}

export function composedStar(inner: Star, outer: Star): Star {
  const before = (name: string) => inner.renamed.find(([, to]) => to.toLowerCase() === name.toLowerCase())?.[0] ?? name;
  const remaining = inner.renamed.flatMap(([from, to]): (readonly [string, string])[] => {
    const name = throughStar(outer, to);
    return name === null ? [] : [[from, name]];
  });
  const known = new Set(inner.renamed.flatMap((pair) => pair.map((name) => name.toLowerCase())));
  return {
    except: [...new Set([...inner.except, ...outer.except.map(before)])],
    renamed: [...remaining, ...outer.renamed.filter(([from]) => !known.has(from.toLowerCase()))],
  };
}

/** Keeps the contents of schemas, under what names them. */
export type SchemaStore = {
  /** Stores those that are not there; a content never changes. */
  readonly put: (graph: GraphId, schemas: ReadonlyMap<SchemaId, RelationSchema>) => Promise<void>;
  readonly get: (graph: GraphId, ids: readonly SchemaId[]) => Promise<ReadonlyMap<SchemaId, RelationSchema>>;
};
