import { MarkerType, type NodeHandle, Position } from '@xyflow/react';
import { texts } from '../texts.ts';
import type { ColumnPath, EdgeOfAnswer } from './answer.ts';
import type { GroupNodeType } from './group-node.tsx';
import type { Line, Picture } from './groups.ts';
import type { Places } from './layered-places.ts';
import { sizes } from './layout.ts';
import type { ColumnEdgeType, LineageEdgeType } from './lineage-edge.tsx';
import { waysBetween } from './path.ts';
import { columnKey, type Neighbours } from './picture-context.ts';
import type { RelationNodeType } from './relation-node.tsx';

export type PictureNode = RelationNodeType | GroupNodeType;
export type PictureEdge = LineageEdgeType | ColumnEdgeType;

/** How a relation or an edge changed, if the picture shows changes. */
export type Marks = { readonly relations: ReadonlyMap<string, string>; readonly edges: ReadonlyMap<string, string> };

type NodesOptions = { readonly withColumns: boolean; readonly isPlain: boolean; readonly marks?: Marks | undefined };

export function nodesOf(
  picture: Picture,
  places: Places,
  { withColumns, isPlain, marks }: NodesOptions,
): PictureNode[] {
  const at = (id: string, columns: readonly string[]) => {
    const { x = 0, y = 0, width = 0, height = 0 } = places.get(id) ?? {};
    // With sizes and handles said, nothing of the page has to be measured before the edges are drawn.
    const size = { width, height };
    return { id, position: { x, y }, ...size, measured: size, handles: handlesOf(withColumns ? columns : []) };
  };
  // Until new elements are laid out, only the previous ones are drawn.
  const isPlaced = ({ id }: { readonly id: string }) => places.has(id);
  return [
    ...picture.relations.filter(isPlaced).map((point): RelationNodeType => {
      const mark = marks?.relations.get(point.relation);
      return {
        ...at(point.id, point.columns),
        type: 'relation',
        data: { point, isPlain, ...(mark && { mark }) },
      };
    }),
    ...picture.groups
      .filter(isPlaced)
      .map((point): GroupNodeType => ({ ...at(point.id, []), type: 'group', data: { point } })),
  ];
}

/** Where edges end: beside the name, and those of columns beside the column. */
const handlesOf = (columns: readonly string[]): NodeHandle[] => [
  ...pair('', sizes.head / 2),
  ...columns.flatMap((column, index) => pair(column, sizes.head + (index + 0.5) * sizes.column)),
];

const pair = (column: string, y: number): NodeHandle[] => [
  { ...(column && { id: `in ${column}` }), type: 'target', position: Position.Left, x: 0, y, width: 0, height: 0 },
  {
    ...(column && { id: `out ${column}` }),
    type: 'source',
    position: Position.Right,
    x: sizes.width,
    y,
    width: 0,
    height: 0,
  },
];

const arrow = { type: MarkerType.ArrowClosed, markerUnits: 'userSpaceOnUse', width: 20, height: 20 } as const;

export function edgesOf(
  picture: Picture,
  paths: readonly ColumnPath[],
  withColumns: boolean,
  marks?: Marks,
): PictureEdge[] {
  const alone = new Set(picture.relations.map(({ id }) => id));
  const columns = withColumns ? columnEdgesOf(paths, alone) : [];
  const covered = new Set(columns.map(({ source, target }) => `${source}\n${target}`));
  const groups = new Map(picture.groups.map(({ id, schema }) => [id, schema]));
  return [
    ...picture.lines.map((line): LineageEdgeType => {
      const mark = marks?.edges.get(line.id);
      return {
        id: line.id,
        source: line.source,
        target: line.target,
        type: 'lineage',
        markerEnd: arrow,
        data: {
          line,
          name: nameOfLine(line, groups),
          isBehindColumns: covered.has(line.id),
          ...(mark && { mark }),
        },
      };
    }),
    ...columns,
  ];
}

const nameOfLine = ({ source, target }: Line, groups: ReadonlyMap<string, string>): string =>
  texts.lineage.edgeName(groups.get(source) ?? source, groups.get(target) ?? target);

function columnEdgesOf(paths: readonly ColumnPath[], alone: ReadonlySet<string>): ColumnEdgeType[] {
  return paths.flatMap(({ upstream, downstream, type, masking }): ColumnEdgeType[] => {
    const column = downstream.column;
    if (column === null || !alone.has(upstream.relation_ref) || !alone.has(downstream.relation_ref)) return [];
    const from = columnKey(upstream.relation_ref, upstream.column);
    const to = columnKey(downstream.relation_ref, column);
    return [
      {
        id: `${from}\n\n${to}`,
        source: upstream.relation_ref,
        target: downstream.relation_ref,
        sourceHandle: `out ${upstream.column}`,
        targetHandle: `in ${column}`,
        type: 'column',
        data: { kind: masking ? 'MASKED' : type, from, to },
      },
    ];
  });
}

/** Every column that feeds a column, and that it feeds, through the whole picture. */
export function highlightedBy(column: string | null, paths: readonly ColumnPath[]): Set<string> {
  const highlighted = new Set<string>();
  if (column === null) return highlighted;
  const pairs = paths.flatMap(({ upstream, downstream }) =>
    downstream.column === null
      ? []
      : [
          {
            from: columnKey(upstream.relation_ref, upstream.column),
            to: columnKey(downstream.relation_ref, downstream.column),
          },
        ],
  );
  for (const [near, far] of [
    ['from', 'to'],
    ['to', 'from'],
  ] as const) {
    const reached = new Set([column]);
    for (const one of reached) for (const pair of pairs) if (pair[near] === one) reached.add(pair[far]);
    for (const one of reached) highlighted.add(one);
  }
  return highlighted;
}

/** What lies on a way from the root to the chosen relation; null if none is chosen. */
export const pathTo = (to: string | null, root: string, lines: readonly Line[]): Set<string> | null =>
  to === null ? null : waysBetween(root, to, lines);

/** How many neighbours each relation has in the picture. */
export function neighboursOf(edges: readonly EdgeOfAnswer[]): Neighbours {
  const counts = new Map<string, { upstream: number; downstream: number }>();
  const of = (relation: string) => {
    const known = counts.get(relation) ?? { upstream: 0, downstream: 0 };
    counts.set(relation, known);
    return known;
  };
  for (const { upstream, downstream } of edges) {
    of(upstream).downstream++;
    of(downstream).upstream++;
  }
  return counts;
}
