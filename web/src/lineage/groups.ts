import { nameOf, schemaOf } from '../../../shared/contract/layers.ts';
import { texts } from '../texts.ts';
import type { EdgeOfAnswer, Row, Shown } from './answer.ts';

export type RelationPoint = {
  readonly id: string;
  readonly relation: string;
  /** Null of the root. */
  readonly row: Row | null;
  readonly columns: readonly string[];
};

/** Relations of one schema, layer or step on one side of the root, or at one hub, drawn as one; the most connected first. */
export type GroupPoint = {
  readonly id: string;
  readonly schema: string;
  readonly members: readonly string[];
  /** What its card lists. */
  readonly lines: readonly string[];
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
const mostLines = 4;

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
  const hubs = groupName === bySchema ? hubsOf(named, beside) : new Map<string, string>();
  const byName = (point: RelationPoint) =>
    hubs.get(point.relation) ?? `${point.row?.direction ?? 'both'}.${groupName(point)}`;
  return [...Map.groupBy(named, areMany ? byName : (point) => lookOf(point, beside))]
    .map(([key, members]) => {
      const names = members.map(({ relation }) => relation);
      const [first = ''] = names;
      const degree = (relation: string) => beside.get(relation)?.length ?? 0;
      const sorted = names.toSorted((a, b) => degree(b) - degree(a));
      const group = { schema: areMany ? nameOfGroup(key) : schemaOf(first), members: sorted, lines: cardOf(sorted) };
      return areMany ? { id: key, ...group } : { id: `alike.${first}`, ...group, isAlike: true as const };
    })
    .filter(({ id, members }) => members.length >= (areMany ? leastMembers : leastAlike) && !open.includes(id));
}

/** The hub of each relation without another neighbour, if these are too many to draw and lie in several schemas. */
function hubsOf(
  points: readonly RelationPoint[],
  beside: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, string> {
  const single = points.flatMap(({ relation }) => {
    const [own, ...others] = new Set(beside.get(relation));
    return own === undefined || others.length > 0 ? [] : [{ relation, own }];
  });
  return new Map(
    [...Map.groupBy(single, ({ own }) => own)]
      .filter(([, all]) => all.length > readable && new Set(all.map(({ relation }) => schemaOf(relation))).size > 1)
      .flatMap(([own, all]) =>
        all.map(({ relation }) => [relation, `${own[0] === '<' ? 'readers' : 'feeders'}.${own.slice(1)}`] as const),
      ),
  );
}

/** The schemas of some relations with their counts, or if these have one, their names: the first of them. */
function cardOf(members: readonly string[]): readonly string[] {
  const schemas = [...Map.groupBy(members, schemaOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const lines =
    schemas.length > 1 ? schemas.map(([schema, { length }]) => `${nameOf(schema)} ${length}`) : members.map(nameOf);
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), texts.lineage.further.more(lines.length - mostLines + 1)];
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

/** What a group is called, by its id: its schema, layer, step or hub; of relations that look alike, the first one's schema. */
export const nameOfGroup = (id: string): string => {
  const at = id.indexOf('.');
  const [kind, name] = [id.slice(0, at), id.slice(at + 1)];
  if (kind === 'readers' || kind === 'feeders') return texts.lineage.hubs[kind](nameOf(name));
  return kind === 'alike' ? schemaOf(name) : name;
};

function columnsTouched({ root, paths, answers }: Shown): Map<string, Set<string>> {
  const columns = new Map([[root, new Set(answers[0]?.column_lineage.roots)]]);
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
