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
  const groupsIn = points.length > readable ? groupsOf : alikeIn;
  const groups = groupsIn(others, edges, open, groupName);
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
  groupName: GroupNamer,
): GroupPoint[] {
  const degrees = new Map<string, number>();
  for (const { upstream, downstream } of edges)
    for (const end of [upstream, downstream]) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  const named = points.filter((point) => groupName(point) !== null);
  return [...Map.groupBy(named, (point) => `${point.row?.direction ?? 'both'}.${groupName(point)}`)]
    .filter(([id, members]) => members.length >= leastMembers && !open.includes(id))
    .map(([id, members]) => ({
      id,
      schema: id.slice(id.indexOf('.') + 1),
      members: members
        .map(({ relation }) => relation)
        .toSorted((a, b) => (degrees.get(b) ?? 0) - (degrees.get(a) ?? 0)),
    }));
}

/** Relations of one schema at the end of their side, with the same neighbours and the same columns. */
function alikeIn(
  points: readonly RelationPoint[],
  edges: readonly EdgeOfAnswer[],
  open: readonly string[],
  groupName: GroupNamer,
): GroupPoint[] {
  const inputs = Map.groupBy(edges, ({ downstream }) => downstream);
  const outputs = Map.groupBy(edges, ({ upstream }) => upstream);
  const lookOf = ({ relation, columns }: RelationPoint): string => {
    const up = (inputs.get(relation) ?? []).map(({ upstream }) => upstream).toSorted();
    const down = (outputs.get(relation) ?? []).map(({ downstream }) => downstream).toSorted();
    return up.length > 0 && down.length > 0 ? relation : JSON.stringify([schemaOf(relation), up, down, columns]);
  };
  const named = points.filter((point) => groupName(point) !== null);
  return [...Map.groupBy(named, lookOf).values()]
    .map((members) => members.map(({ relation }) => relation))
    .map((members) => ({
      ...{ id: `alike.${members[0]}`, schema: schemaOf(members[0] ?? ''), members, isAlike: true as const },
    }))
    .filter(({ id, members }) => members.length >= leastAlike && !open.includes(id));
}

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
