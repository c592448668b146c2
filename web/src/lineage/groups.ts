import type { EdgeOfAnswer, Row, Shown } from './answer.ts';

export type RelationPoint = {
  readonly id: string;
  readonly relation: string;
  /** Null of the root. */
  readonly row: Row | null;
  readonly columns: readonly string[];
};

/** Relations of one schema on one side of the root, drawn as one; the most connected first. */
export type GroupPoint = { readonly id: string; readonly schema: string; readonly members: readonly string[] };

export type Line = {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The edges of the answer that it represents; several if an end is a group. */
  readonly edges: readonly EdgeOfAnswer[];
};

export type Picture = {
  readonly relations: readonly RelationPoint[];
  readonly groups: readonly GroupPoint[];
  readonly lines: readonly Line[];
};

/** A box of more columns names the first and counts the others. */
export const mostColumns = 8;
export const shownColumns = (columns: readonly string[]): readonly string[] => columns.slice(0, mostColumns);
/** The number of members that a group's card names. */
export const membersNamed = 4;

/** The number of relations that are readable without groups. */
const readable = 40;
/** So few relations of a schema stand by themselves. */
const leastMembers = 3;

/** The picture of an answer; relations that the address names stand outside of groups. */
export function pictureOf(shown: Shown, open: readonly string[], single: ReadonlySet<string>): Picture {
  const placed = new Map<string, Row | null>([[shown.root, null]]);
  for (const row of shown.rows) if (!placed.has(row.relation)) placed.set(row.relation, row);
  const touched = columnsTouched(shown);
  const points = [...placed].map(([relation, row]) => ({
    ...{ id: relation, relation, row },
    columns: [...(touched.get(relation) ?? [])],
  }));
  return grouped(points, shown.edges, open, single);
}

/** Relations with their edges; if there are many, grouped by schema, except in groups that are open. */
export function grouped(
  points: readonly RelationPoint[],
  edges: readonly EdgeOfAnswer[],
  open: readonly string[],
  single: ReadonlySet<string>,
): Picture {
  const others = points.filter(({ relation }) => !single.has(relation));
  const groups = points.length > readable ? groupsOf(others, edges, open) : [];
  const groupOf = new Map(groups.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
  const placed = new Set(points.map(({ relation }) => relation));
  return {
    relations: points.filter(({ relation }) => !groupOf.has(relation)),
    groups,
    lines: linesOf(edges, placed, groupOf),
  };
}

function groupsOf(
  points: readonly RelationPoint[],
  edges: readonly EdgeOfAnswer[],
  open: readonly string[],
): GroupPoint[] {
  const degrees = new Map<string, number>();
  for (const { upstream, downstream } of edges)
    for (const end of [upstream, downstream]) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  return [...Map.groupBy(points, ({ row, relation }) => `${row?.direction ?? 'both'}.${schemaOf(relation)}`)]
    .filter(([id, members]) => members.length >= leastMembers && !open.includes(id))
    .map(([id, members]) => ({
      id,
      schema: id.slice(id.indexOf('.') + 1),
      members: members
        .map(({ relation }) => relation)
        .toSorted((a, b) => (degrees.get(b) ?? 0) - (degrees.get(a) ?? 0)),
    }));
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
  placed: ReadonlySet<string>,
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
