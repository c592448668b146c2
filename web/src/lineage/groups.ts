import { schemaOf } from '../../../shared/contract/layers.ts';
import type { EdgeOfAnswer, Row, Shown } from './answer.ts';

export type RelationPoint = {
  readonly id: string;
  readonly relation: string;
  /** Null of the root. */
  readonly row: Row | null;
  readonly columns: readonly string[];
};

/** Relations of one schema, layer or step on one side of the root, drawn as one; the most connected first. */
export type GroupPoint = {
  readonly id: string;
  readonly schema: string;
  readonly members: readonly string[];
  /** Whether the members have the same neighbours and columns. */
  readonly isAlike?: true;
};

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
export const readable = 40;
/** So few relations of a schema stand by themselves. */
const leastMembers = 3;
/** The least number of relations that look alike to draw them as one. */
const leastAlike = 6;

/** What relations of a large picture are grouped by. */
export const groupings = ['schema', 'layer', 'step', 'none'] as const;
export type Grouping = (typeof groupings)[number];

/** The name of the group of a relation; null: it is in none. */
type GroupNamer = (point: RelationPoint) => string | null;

export const bySchema: GroupNamer = ({ relation }) => schemaOf(relation);

/** The picture of an answer; relations that the address names stand outside of groups. */
export function pictureOf(
  shown: Shown,
  open: readonly string[],
  single: ReadonlySet<string>,
  groupName: GroupNamer = bySchema,
): Picture {
  const placed = new Map<string, Row | null>([[shown.root, null]]);
  for (const row of shown.rows) if (!placed.has(row.relation)) placed.set(row.relation, row);
  const touched = columnsTouched(shown);
  const points = [...placed].map(([relation, row]) => ({
    ...{ id: relation, relation, row },
    columns: [...(touched.get(relation) ?? [])],
  }));
  return grouped(points, shown.edges, { open, single, groupName });
}

type GroupOptions = {
  readonly open: readonly string[];
  readonly single: ReadonlySet<string>;
  readonly groupName: GroupNamer;
};

/** Relations with their edges; if there are many, in groups, else those that are alike; except what is open. */
export function grouped(
  points: readonly RelationPoint[],
  edges: readonly EdgeOfAnswer[],
  { open, single, groupName }: GroupOptions,
): Picture {
  const others = points.filter(({ relation }) => !single.has(relation));
  const groups = groupsOf(others, edges, points.length > readable, { open, groupName });
  const groupOf = new Map(groups.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
  const placed = new Set(points.map(({ relation }) => relation));
  return {
    relations: points.filter(({ relation }) => !groupOf.has(relation)),
    groups,
    lines: linesOf(edges, placed, groupOf),
  };
}

/** The groups of many relations by their names; of few, those that look alike. */
function groupsOf(
  points: readonly RelationPoint[],
  edges: readonly EdgeOfAnswer[],
  areMany: boolean,
  { open, groupName }: Pick<GroupOptions, 'open' | 'groupName'>,
): GroupPoint[] {
  const beside = neighboursOf(edges);
  const named = points.filter((point) => groupName(point) !== null);
  const byName = (point: RelationPoint) => `${point.row?.direction ?? 'both'}.${groupName(point)}`;
  return [...Map.groupBy(named, areMany ? byName : (point) => lookOf(point, beside))]
    .map(([key, members]) => {
      const names = members.map(({ relation }) => relation);
      const [first = ''] = names;
      if (!areMany) return { id: `alike.${first}`, schema: schemaOf(first), members: names, isAlike: true as const };
      const degree = (relation: string) => beside.get(relation)?.length ?? 0;
      return {
        ...{ id: key, schema: nameOfGroup(key) },
        members: names.toSorted((a, b) => degree(b) - degree(a)),
      };
    })
    .filter(({ id, members }) => members.length >= (areMany ? leastMembers : leastAlike) && !open.includes(id));
}

/** The same for relations that look alike: by schema, columns, and neighbours on one side. */
function lookOf({ relation, columns }: RelationPoint, beside: ReadonlyMap<string, readonly string[]>): string {
  const own = (beside.get(relation) ?? []).toSorted();
  const isAtEnd = own[0]?.[0] === own.at(-1)?.[0];
  return isAtEnd ? JSON.stringify([schemaOf(relation), columns, own]) : relation;
}

/** The neighbours of each relation, marked with their side. */
function neighboursOf(edges: readonly EdgeOfAnswer[]): Map<string, string[]> {
  const ends = edges.flatMap(({ upstream, downstream }) => [
    [upstream, `>${downstream}`] as const,
    [downstream, `<${upstream}`] as const,
  ]);
  return new Map([...Map.groupBy(ends, ([end]) => end)].map(([end, all]) => [end, all.map(([, other]) => other)]));
}

/** What a group is called, by its id: its schema, layer or step; of relations that look alike, the first one's schema. */
export const nameOfGroup = (id: string): string => {
  const name = id.slice(id.indexOf('.') + 1);
  return id.startsWith('alike.') ? schemaOf(name) : name;
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
