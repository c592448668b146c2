import { MarkerType, type NodeHandle, Position } from '@xyflow/react';
import { nameOf } from '../../../shared/contract/layers.ts';
import { texts } from '../texts.ts';
import { type ColumnPath, isDoubted, verdictOf } from './answer.ts';
import type { GroupNodeType } from './group-node.tsx';
import { type Line, mostColumns, type Picture, shownColumns } from './groups.ts';
import { type Box, type Layout, type Link, type Places, placeInLanes, sizes } from './layout.ts';
import type { ColumnEdgeType, LineageEdgeType } from './lineage-edge.tsx';
import { reachOf } from './path.ts';
import { columnKey } from './picture-context.ts';
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
    return { id, position: { x, y }, ...size, measured: size, handles: handlesOf(width, withColumns ? columns : []) };
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
      .map((point): GroupNodeType => ({ ...at(point.id, []), type: 'schema', data: { point } })),
  ];
}

/** The middle of a column's row; columns beyond the last row share the row that counts them. */
const columnTop = (index: number): number => sizes.head + (Math.min(index, mostColumns) + 0.5) * sizes.column;

/** Where edges end: beside the name, and those of columns beside the column. */
const handlesOf = (width: number, columns: readonly string[]): NodeHandle[] => [
  ...pair('', width, sizes.head / 2),
  ...columns.flatMap((column, index) => pair(column, width, columnTop(index))),
];

const pair = (column: string, width: number, y: number): NodeHandle[] => [
  { ...(column && { id: `in ${column}` }), type: 'target', position: Position.Left, x: 0, y, width: 0, height: 0 },
  {
    ...(column && { id: `out ${column}` }),
    type: 'source',
    position: Position.Right,
    x: width,
    y,
    width: 0,
    height: 0,
  },
];

type EdgesOptions = {
  readonly withColumns: boolean;
  readonly routes: Layout['routes'];
  readonly marks?: Marks | undefined;
};

type LayoutOptions = {
  readonly withColumns: boolean;
  readonly marks?: Marks | undefined;
  /** The places that boxes keep. */
  readonly before?: Places | undefined;
};

/** Places everything of a picture, with its lines between relations and between columns. */
export function layOut(
  picture: Picture,
  paths: readonly ColumnPath[],
  { withColumns, marks, before }: LayoutOptions,
): Layout {
  const boxes: Box[] = [
    ...picture.relations.map((point) => ({ id: point.id, ...sizeOf(point, withColumns, marks !== undefined) })),
    ...picture.groups.map(({ id, lines }) => ({
      id,
      width: sizes.group,
      height: sizes.head + lines.length * sizes.member + 2 * sizes.foot,
    })),
  ];
  const links: Link[] = picture.lines.map(({ id, source, target, edges }) => ({
    ...{ id, source, target, from: sizes.head / 2, to: sizes.head / 2 },
    weight: Math.sqrt(edges.length),
  }));
  return placeInLanes(boxes, withColumns ? [...links, ...columnLinksOf(picture, paths)] : links, before);
}

function sizeOf({ relation, columns }: Picture['relations'][number], withColumns: boolean, isMarked: boolean) {
  const rows = withColumns ? shownColumns(columns) : [];
  const more = withColumns && columns.length > rows.length ? 1 : 0;
  const name = nameOf(relation);
  const named = textWidth(name, nameFont) + (isMarked ? 90 : 68);
  const most = name.length <= neverCut ? Math.max(sizes.most, named) : sizes.most;
  const place = Math.min(mostPlace, textWidth(relation.slice(0, -name.length), placeFont) + (isMarked ? 90 : 68));
  const wished = [named, place, ...rows.map((column) => textWidth(column, columnFont) + 56)];
  return {
    width: Math.round(Math.min(most, Math.max(sizes.least, ...wished))),
    height: sizes.head + (rows.length > 0 ? (rows.length + more) * sizes.column + sizes.foot : 0),
  };
}

/** A box gets this wide for the place of its relation. */
const mostPlace = 210;

/** The length up to which a name is shown whole, however wide that makes its box. */
const neverCut = 32;

/** Of names, of columns and of places in a box. */
export const boxFonts = [
  '600 13px "Inter Variable"',
  '12px "JetBrains Mono Variable"',
  '12px "Inter Variable"',
] as const;
const [nameFont, columnFont, placeFont] = boxFonts;

const widths = new Map<string, number>();
const canvas = document.createElement('canvas').getContext('2d');

function textWidth(text: string, font: string): number {
  const key = font + text;
  const known = widths.get(key);
  if (known !== undefined || canvas === null) return known ?? 0;
  canvas.font = font;
  const { width } = canvas.measureText(text);
  // Until a font is loaded, another one is measured.
  if (document.fonts.check(font)) widths.set(key, width);
  return width;
}

function columnLinksOf({ relations }: Picture, paths: readonly ColumnPath[]): Link[] {
  const columns = new Map(relations.map(({ id, columns: own }) => [id, own]));
  return columnEdgesOf(paths, new Set(columns.keys())).map(({ id, source, target, data }) => ({
    ...{ id, source, target, weight: 1 },
    from: heightOf(columns.get(source), data?.from),
    to: heightOf(columns.get(target), data?.to),
  }));
}

/** Where a line of a column ends; of one that a box only counts, at its last row. */
function heightOf(columns: readonly string[] = [], key = ''): number {
  const index = columns.indexOf(key.slice(key.indexOf('\n') + 1));
  return columnTop(Math.max(index, 0));
}

const arrow = { type: MarkerType.ArrowClosed, markerUnits: 'userSpaceOnUse', width: 20, height: 20 } as const;

export function edgesOf(
  picture: Picture,
  paths: readonly ColumnPath[],
  { withColumns, routes, marks }: EdgesOptions,
): PictureEdge[] {
  const alone = new Set(picture.relations.map(({ id }) => id));
  const columns = withColumns ? columnEdgesOf(paths, alone, { lines: picture.lines, routes }) : [];
  const covered = new Set(columns.map(({ source, target }) => `${source}\n${target}`));
  const groups = new Map(picture.groups.map(({ id, schema }) => [id, schema]));
  return [
    ...picture.lines.map((line): LineageEdgeType => {
      const mark = markOf(line, marks);
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
          route: routes.get(line.id) ?? [],
          ...(mark && { mark }),
        },
      };
    }),
    ...columns,
  ];
}

/** How the edges of a line changed; if differently, the line changed. */
export function markOf({ edges }: Line, marks: Marks | undefined): string | undefined {
  const [mark, ...others] = new Set(
    edges.map(({ upstream, downstream }) => marks?.edges.get(`${upstream}\n${downstream}`)),
  );
  return others.length > 0 ? 'changed' : mark;
}

const nameOfLine = ({ source, target }: Line, groups: ReadonlyMap<string, string>): string =>
  texts.lineage.edgeName(groups.get(source) ?? source, groups.get(target) ?? target);

function columnEdgesOf(
  paths: readonly ColumnPath[],
  alone: ReadonlySet<string>,
  { lines = [], routes }: { readonly lines?: readonly Line[]; readonly routes?: Layout['routes'] } = {},
): ColumnEdgeType[] {
  const mappings = new Map(lines.flatMap(({ id, edges }) => edges.map((edge) => [id, edge.columns] as const)));
  return paths.flatMap(({ upstream, downstream, type, masking, change }): ColumnEdgeType[] => {
    const column = downstream.column;
    if (column === null || !alone.has(upstream.relation_ref) || !alone.has(downstream.relation_ref)) return [];
    const from = columnKey(upstream.relation_ref, upstream.column);
    const to = columnKey(downstream.relation_ref, column);
    const own = mappings
      .get(`${upstream.relation_ref}\n${downstream.relation_ref}`)
      ?.filter((mapping) => mapping.upstream === upstream.column && mapping.downstream === column);
    return [
      {
        id: `${from}\n\n${to}`,
        source: upstream.relation_ref,
        target: downstream.relation_ref,
        sourceHandle: `out ${upstream.column}`,
        targetHandle: `in ${column}`,
        type: 'column',
        data: {
          ...{ change, from, to, kind: masking ? 'MASKED' : type },
          verdict: verdictOf(own ?? []),
          isDoubted: isDoubted(own ?? []),
          route: routes?.get(`${from}\n\n${to}`) ?? [],
        },
      },
    ];
  });
}

/** Every column that feeds a column, and that it feeds, through the whole picture. */
export function highlightedBy(column: string | null, paths: readonly ColumnPath[]): Set<string> {
  if (column === null) return new Set();
  const steps = paths
    .filter(({ downstream }) => downstream.column !== null)
    .map(({ upstream, downstream }) => ({ source: keyOfEnd(upstream), target: keyOfEnd(downstream) }));
  return reachOf(column, steps);
}

export const keyOfEnd = ({ relation_ref, column }: ColumnPath['downstream']): string =>
  columnKey(relation_ref, column ?? '');
