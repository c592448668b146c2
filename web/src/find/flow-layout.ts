import { type Layer, layers, nameOf } from '../../../shared/contract/layers.ts';
import { texts } from '../texts.ts';

/** A schema as the overview lists it. */
type Schema = { readonly schema: string; readonly layer: Layer; readonly relations: number };
/** The edges between two schemas, by their positions in the list. */
type Edges = { readonly upstream: number; readonly downstream: number; readonly edges: number };
type Overview = { readonly schemas: readonly Schema[]; readonly flows: readonly Edges[] };

/** A schema, or the smallest schemas of a layer together. */
type Part = {
  readonly schemas: readonly number[];
  readonly name: string;
  readonly schema: string | null;
  readonly relations: number;
};

/** Of the drawing's height. */
type Span = { readonly top: number; readonly height: number };
export type FlowBox = Part & Span;

type FlowColumn = {
  readonly layer: Layer;
  readonly relations: number;
  /** Of the drawing's width. */
  readonly left: number;
  readonly boxes: readonly FlowBox[];
  /** Free of boxes: where bands pass that skip the layer. */
  readonly lane: Span | null;
};

type Band = { readonly key: string; readonly layer: Layer; readonly path: string };
type Flow = { readonly columns: readonly FlowColumn[]; readonly bands: readonly Band[] };

export const flowHeight = 250;
const [gap, least] = [7, 20];
/** Of the drawing's width, which is 1,000 for paths. */
export const boxWidth = 0.12;
const mostBoxes = 8;
const widestEdge = 6;

/** Places schemas by layer, and the bands of the edges between them. A band that skips a layer passes its boxes in a lane. */
export function flowOf({ schemas, flows }: Overview): Flow {
  const parts = partsOf(schemas);
  const links = linksOf(flows, parts);
  const place = (lanes: readonly (Room | null)[]): FlowColumn[] =>
    parts.map(({ layer, parts: own }, index) => ({
      layer,
      relations: sumOf(own.map(({ relations }) => relations)),
      left: parts.length > 1 ? (index / (parts.length - 1)) * (1 - boxWidth) : 0,
      ...placed(own, lanes[index] ?? null),
    }));
  // Beside lanes, boxes get lower and bands no wider: the room that bands take without lanes is enough.
  const columns = place(roomsOf(place([]), links));
  return { columns, bands: bandsOf(columns, links) };
}

/** The layers that have relations, each with its schemas from the largest on. */
function partsOf(schemas: readonly Schema[]) {
  const names = Map.groupBy(schemas, ({ schema }) => nameOf(schema));
  const isAmbiguous = (schema: string) => (names.get(nameOf(schema))?.length ?? 0) > 1;
  const present = layers.filter((layer) => schemas.some((one) => one.layer === layer));
  return present.map((layer) => {
    const own = schemas.flatMap((one, index) => (one.layer === layer ? [{ ...one, index }] : []));
    const shown = own.length > mostBoxes ? own.slice(0, mostBoxes - 1) : own;
    const rest = own.slice(shown.length);
    const parts = shown.map(
      ({ schema, relations, index }): Part => ({
        ...{ schemas: [index], schema, relations },
        name: isAmbiguous(schema) ? schema : nameOf(schema),
      }),
    );
    const others: Part = {
      schemas: rest.map(({ index }) => index),
      name: texts.start.moreSchemas(rest.length),
      schema: null,
      relations: sumOf(rest.map(({ relations }) => relations)),
    };
    return { layer, parts: rest.length > 0 ? [...parts, others] : parts };
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** By column and box. */
type End = { readonly column: number; readonly box: number };
type Link = { readonly key: string; readonly from: End; readonly to: End; readonly edges: number };

/** The edges that lead to the right, by the boxes at their ends. */
function linksOf(flows: readonly Edges[], parts: ReturnType<typeof partsOf>): Link[] {
  const ends = new Map(
    parts.flatMap(({ parts: own }, column) =>
      own.flatMap(({ schemas }, box) => schemas.map((schema) => [schema, { column, box }] as const)),
    ),
  );
  const edges = flows.flatMap(({ upstream, downstream, edges: count }) => {
    const [from, to] = [ends.get(upstream), ends.get(downstream)];
    return from && to && from.column < to.column ? [{ key: JSON.stringify([from, to]), from, to, count }] : [];
  });
  return [...Map.groupBy(edges, ({ key }) => key).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, edges: sumOf([first, ...others].map(({ count }) => count)) }] : [],
  );
}

/** The height of a lane, and the number of boxes above it. */
type Room = { readonly height: number; readonly above: number };

/** As high as the relations are many. */
function placed(parts: readonly Part[], lane: Room | null): Pick<FlowColumn, 'boxes' | 'lane'> {
  const spare = flowHeight - gap * (parts.length - 1) - least * parts.length;
  const laneHeight = lane ? Math.min(lane.height, spare / 2) : 0;
  const room = spare - (lane ? laneHeight + gap : 0);
  const all = Math.max(1, sumOf(parts.map(({ relations }) => relations)));
  let top = 0;
  const next = (height: number): Span => {
    const span = { top, height };
    top += height + gap;
    return span;
  };
  let free: Span | null = null;
  const boxes = parts.map((part, index): FlowBox => {
    if (index === lane?.above) free = next(laneHeight);
    return { ...part, ...next(least + (room * part.relations) / all) };
  });
  return { boxes, lane: lane && (free ?? next(laneHeight)) };
}

/** The lanes for links that skip layers, each between the boxes nearest to the straight way of its links. */
function roomsOf(columns: readonly FlowColumn[], links: readonly Link[]): (Room | null)[] {
  const scale = scaleOf(links.flatMap((link) => stopsOf(link, columns)));
  const middle = ({ column, box }: End): number => middleOf(columns[column]?.boxes[box]);
  return columns.map(({ boxes }, column) => {
    const own = links.filter(({ from, to }) => from.column < column && column < to.column);
    const edges = sumOf(own.map((link) => link.edges));
    if (edges === 0) return null;
    const wish = sumOf(own.map((link) => (link.edges * (middle(link.from) + middle(link.to))) / 2)) / edges;
    return { height: scale * edges, above: boxes.filter((box) => middleOf(box) < wish).length };
  });
}

const middleOf = (span: Span | undefined): number => (span ? span.top + span.height / 2 : 0);

/** Where a link leaves a box, passes a lane or enters a box, from `left` to `right`. */
type Stop = Span & {
  readonly key: string;
  readonly edges: number;
  readonly left: number;
  readonly right: number;
};

function stopsOf({ from, to, edges }: Link, columns: readonly FlowColumn[]): Stop[] {
  return columns.slice(from.column, to.column + 1).flatMap(({ left, boxes, lane }, index): Stop[] => {
    const isFirst = index === 0;
    const isLast = index === to.column - from.column;
    const span = isFirst ? boxes[from.box] : isLast ? boxes[to.box] : lane;
    if (!span) return [];
    const sides = {
      left: 1_000 * (isFirst ? left + boxWidth : left),
      right: 1_000 * (isLast ? left : left + boxWidth),
    };
    return [{ ...sides, top: span.top, height: span.height, edges, key: JSON.stringify([left, isFirst, span.top]) }];
  });
}

/** The greatest width of an edge at which all edges fit into their stops. */
function scaleOf(stops: readonly Stop[]): number {
  const rooms = [...Map.groupBy(stops, ({ key }) => key).values()].map(
    (own) => (own[0]?.height ?? 0) / sumOf(own.map(({ edges }) => edges)),
  );
  return Math.min(widestEdge, ...rooms);
}

/** Side by side in each stop, so that few cross on the way to the next one. */
function bandsOf(columns: readonly FlowColumn[], links: readonly Link[]): Band[] {
  const all = links.map((link) => ({ ...link, stops: stopsOf(link, columns) }));
  const scale = scaleOf(all.flatMap(({ stops }) => stops));
  const wishes = new Map(
    all.flatMap(({ stops }) => stops.map((stop, index) => [stop, wishesOf(stops, index)] as const)),
  );
  const tops = new Map<Stop, number>();
  for (const own of Map.groupBy(wishes.keys(), ({ key }) => key).values()) {
    const sorted = own.toSorted((a, b) => {
      const [[first, then], [otherFirst, otherThen]] = [wishes.get(a) ?? [0, 0], wishes.get(b) ?? [0, 0]];
      return first - otherFirst || then - otherThen;
    });
    let top = middleOf(own[0]) - (scale * sumOf(own.map(({ edges }) => edges))) / 2;
    for (const stop of sorted) {
      tops.set(stop, top);
      top += scale * stop.edges;
    }
  }
  return all.map(({ key, from, edges, stops }) => {
    const points = stops.flatMap((stop) => {
      const y = tops.get(stop) ?? 0;
      return [...new Set([stop.left, stop.right])].map((x) => ({ x, y }));
    });
    const below = points.map(({ x, y }) => ({ x, y: y + scale * edges })).toReversed();
    return { key, layer: columns[from.column]?.layer ?? 'marts', path: `M${curve(points)}L${curve(below)}z` };
  });
}

/** What a link's place in a stop depends on: first the height of the next box or lane, then of the other end. */
function wishesOf(stops: readonly Stop[], index: number): readonly [number, number] {
  const heights = stops.map(middleOf);
  const [first, last] = [heights[0] ?? 0, heights.at(-1) ?? 0];
  if (index === 0) return [heights[1] ?? 0, last];
  return index === stops.length - 1 ? [heights.at(-2) ?? 0, first] : [first + last, 0];
}

type Point = { readonly x: number; readonly y: number };

const curve = (points: readonly Point[]): string =>
  points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      const middle = (x + (before?.x ?? 0)) / 2;
      return before ? `C${middle} ${before.y} ${middle} ${y} ${x} ${y}` : `${x} ${y}`;
    })
    .join('');
