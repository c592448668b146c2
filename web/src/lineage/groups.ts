import type { EdgeOfAnswer, Row, Shown } from './answer.ts';

/** A relation of the picture. */
export type RelationPoint = {
  readonly id: string;
  readonly relation: string;
  /** Null of the root. */
  readonly row: Row | null;
  readonly columns: readonly string[];
};

/** Relations of one schema at one distance, drawn as one. */
export type GroupPoint = { readonly id: string; readonly schema: string; readonly members: readonly string[] };

export type Line = {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The edges of the answer that it represents; several where an end is a group. */
  readonly edges: readonly EdgeOfAnswer[];
};

export type Picture = {
  readonly relations: readonly RelationPoint[];
  readonly groups: readonly GroupPoint[];
  readonly lines: readonly Line[];
};

/** The number of relations at one distance that are readable one by one. */
const readable = 12;

/** What is drawn: relations, and groups where there are many at one distance, unless they were opened. */
export function pictureOf(shown: Shown, open: readonly string[], single: ReadonlySet<string>): Picture {
  const placed = new Map<string, Row | null>([[shown.root, null]]);
  for (const row of shown.rows) if (!placed.has(row.relation)) placed.set(row.relation, row);
  const groups = groupsOf([...placed.values()], open, single);
  const groupOf = new Map(groups.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
  const touched = columnsTouched(shown);
  const relations = [...placed]
    .filter(([relation]) => !groupOf.has(relation))
    .map(([relation, row]) => ({ id: relation, relation, row, columns: [...(touched.get(relation) ?? [])] }));
  return { relations, groups, lines: linesOf(shown.edges, placed, groupOf) };
}

function groupsOf(rows: readonly (Row | null)[], open: readonly string[], single: ReadonlySet<string>): GroupPoint[] {
  const layers = Map.groupBy(
    rows.filter((row) => row !== null),
    ({ direction, depth }) => `${direction}.${depth}`,
  );
  return [...layers].flatMap(([layer, inside]) => {
    if (inside.length <= readable) return [];
    const bySchema = Map.groupBy(
      inside.filter(({ relation }) => !single.has(relation)),
      ({ relation }) => schemaOf(relation),
    );
    return [...bySchema]
      .map(([schema, members]) => ({
        id: `${layer}.${schema}`,
        schema,
        members: members.map(({ relation }) => relation),
      }))
      .filter(({ id, members }) => members.length > 1 && !open.includes(id));
  });
}

/** The part of a name before its last: `shop.raw` of `shop.raw.orders`; a quoted part may hold dots. */
export function schemaOf(relation: string): string {
  const parts = relation.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [relation];
  return parts.length > 1 ? parts.slice(0, -1).join('.') : relation.split('/').slice(0, -1).join('/');
}

export const nameOf = (relation: string): string => {
  const schema = schemaOf(relation);
  return schema === '' ? relation : relation.slice(schema.length + 1);
};

function columnsTouched({ paths }: Shown): Map<string, Set<string>> {
  const columns = new Map<string, Set<string>>();
  for (const { upstream, downstream } of paths)
    for (const { relation_ref, column } of [upstream, downstream])
      if (column !== null) columns.set(relation_ref, (columns.get(relation_ref) ?? new Set<string>()).add(column));
  return columns;
}

function linesOf(
  edges: readonly EdgeOfAnswer[],
  placed: ReadonlyMap<string, unknown>,
  groupOf: ReadonlyMap<string, string>,
): Line[] {
  const drawn = edges
    .filter(({ upstream, downstream }) => placed.has(upstream) && placed.has(downstream))
    .map((edge) => ({
      edge,
      source: groupOf.get(edge.upstream) ?? edge.upstream,
      target: groupOf.get(edge.downstream) ?? edge.downstream,
    }))
    .filter(({ source, target }) => source !== target);
  return [...Map.groupBy(drawn, ({ source, target }) => `${source}\n${target}`)].map(([id, members]) => ({
    id,
    source: members[0]?.source ?? '',
    target: members[0]?.target ?? '',
    edges: members.map(({ edge }) => edge),
  }));
}
