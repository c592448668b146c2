/** Lengths in pixels at a zoom of 1. */
export const sizes = { head: 46, column: 24, foot: 6, least: 172, most: 300, group: 222, member: 19 } as const;

const spacing = { beside: 14, between: 60, wrapped: 32, way: 10, near: 4, far: 10 } as const;
/** A lane with more boxes than this, and than fit the shape of a screen, gets several columns. */
const leastRows = 40;
const screenShape = 1.33;
const sweeps = { order: 12, all: 16 } as const;

/** A part of the picture with the size that it wants. */
export type Box = { readonly id: string; readonly width: number; readonly height: number };

/** A line of the picture; its ends are heights below the tops of the boxes. */
export type Link = {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
};

export type Point = { readonly x: number; readonly y: number };
export type Place = Point & { readonly width: number; readonly height: number };
export type Places = ReadonlyMap<string, Place>;
/** A column of the picture from top to bottom. */
export type Lane = { readonly x: number; readonly width: number; readonly ids: readonly string[] };
export type Layout = {
  readonly places: Places;
  /** By link: its start, the lanes that it passes, and its end. */
  readonly routes: ReadonlyMap<string, readonly Point[]>;
  readonly lanes: readonly Lane[];
  /** Whether what an earlier picture had too is where it was. */
  readonly isKept: boolean;
};

/** A box, or the way of a link past the boxes of a lane that it skips. */
type Cell = Box & { readonly isWay: boolean; y: number };
type Column = { readonly cells: Cell[]; readonly isWrapped: boolean; readonly isLast: boolean };
type Joint = { readonly a: Cell; readonly b: Cell; readonly weight: number; readonly shift: number };

/**
 * Places boxes so that left feeds right: ordered by the middle of their neighbours, at the nearest heights
 * that leave no overlap. A link that skips a lane gets a separate track there; one that skips columns of a lane passes
 * between their boxes. The time grows with boxes and links.
 * What has a place already keeps it, unless a new box needs the room.
 */
export function placeInLanes(boxes: readonly Box[], links: readonly Link[], before: Places = new Map()): Layout {
  const depths = depthsOf(boxes, links);
  const cells = new Map(boxes.map((box): [string, Cell] => [box.id, { ...box, isWay: false, y: 0 }]));
  const rows = Math.max(leastRows, Math.ceil(screenShape * Math.sqrt(boxes.length)));
  const layers = [...Map.groupBy(cells.values(), ({ id }) => depths.get(id) ?? 0)]
    .toSorted(([a], [b]) => a - b)
    .map(([, layer]) => layer);
  const ways = waysOf(links, depths, layers, rows);
  const columns = layers.flatMap((layer) => columnsOf(layer, rows));
  for (const { cells: own } of columns) settle(own, () => 0);
  order(columns, jointsOf(links, cells, ways));
  const isKept = boxes.some(({ id }) => before.has(id));
  if (isKept) keepHeights(columns, before);
  return drawn(columns, links, { cells, ways, before: isKept ? before : null });
}

/** Gives boxes their earlier heights, and others theirs beside those. */
function keepHeights(columns: readonly Column[], before: Places): void {
  const all = columns.flatMap(({ cells }) => cells);
  const offset = median(all.flatMap(({ id, y }) => (before.has(id) ? (before.get(id)?.y ?? 0) - y : [])));
  for (const { cells } of columns) {
    const heights = new Map(cells.map((cell) => [cell, before.get(cell.id)?.y ?? cell.y + offset]));
    const heightOf = (cell: Cell): number => heights.get(cell) ?? 0;
    cells.sort((a, b) => heightOf(a) - heightOf(b));
    settle(cells, heightOf);
  }
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** The boxes by their distance from boxes without inputs. Cycles are cut at their entry. */
function depthsOf(boxes: readonly Box[], links: readonly Link[]): Map<string, number> {
  const inputs = Map.groupBy(links, ({ target }) => target);
  const outputs = Map.groupBy(links, ({ source }) => source);
  const depths = new Map<string, number>();
  const waiting = new Map(boxes.map(({ id }) => [id, inputs.get(id)?.length ?? 0]));
  const ready = boxes.map(({ id }) => id).filter((id) => waiting.get(id) === 0);
  const unplaced = new Set(boxes.map(({ id }) => id));
  for (let at = 0; unplaced.size > 0; at++) {
    const id = ready[at] ?? unplaced.values().next().value ?? '';
    if (ready[at] === undefined) ready.push(id);
    if (!unplaced.delete(id)) continue;
    const depth = depths.get(id) ?? 0;
    depths.set(id, depth);
    for (const { target } of outputs.get(id) ?? []) {
      if (!unplaced.has(target)) continue;
      depths.set(target, Math.max(depths.get(target) ?? 0, depth + 1));
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  // A box that nothing feeds stands beside the first that it feeds.
  for (const { id } of boxes) {
    const fed = (outputs.get(id) ?? []).map(({ target }) => depths.get(target) ?? 0);
    if (!inputs.has(id) && fed.length > 0) depths.set(id, Math.max(0, fed.reduce((a, b) => Math.min(a, b)) - 1));
  }
  return depths;
}

type Ways = ReadonlyMap<string, readonly Cell[]>;

/** The ways of links past the lanes that they skip; links to the same place share them. They become cells of the lanes. */
function waysOf(links: readonly Link[], depths: ReadonlyMap<string, number>, layers: Cell[][], rows: number): Ways {
  const ways = new Map<string, Cell>();
  // A lane with several columns has no room for tracks.
  const isOpen = layers.map((layer) => layer.length <= rows);
  return new Map(
    links.map(({ id, source, target, to }) => {
      const [start, end] = [depths.get(source) ?? 0, depths.get(target) ?? 0];
      const own: Cell[] = [];
      for (let depth = start + 1; depth < end; depth++) {
        if (!isOpen[depth]) continue;
        const key = JSON.stringify([target, to, depth]);
        const way = ways.get(key) ?? { id: key, width: 0, height: spacing.way, isWay: true, y: 0 };
        if (!ways.has(key)) layers[depth]?.push(way);
        ways.set(key, way);
        own.push(way);
      }
      return [id, own];
    }),
  );
}

function columnsOf(layer: readonly Cell[], rows: number): Column[] {
  const boxes = layer.filter(({ isWay }) => !isWay).length;
  if (boxes <= rows) return [{ cells: [...layer], isWrapped: false, isLast: true }];
  const each = Math.ceil(layer.length / Math.ceil(layer.length / rows));
  return Array.from({ length: Math.ceil(layer.length / each) }, (_, index) => ({
    cells: layer.slice(index * each, (index + 1) * each),
    isWrapped: true,
    isLast: (index + 1) * each >= layer.length,
  }));
}

function jointsOf(links: readonly Link[], cells: ReadonlyMap<string, Cell>, ways: Ways): Joint[] {
  return links.flatMap(({ id, source, target, from, to, weight }) => {
    const stops = [cells.get(source), ...(ways.get(id) ?? []), cells.get(target)].filter((one) => one !== undefined);
    return stops.slice(1).flatMap((b, index) => {
      const a = stops[index];
      if (a === undefined) return [];
      const [out, into] = [a.isWay ? spacing.way / 2 : from, b.isWay ? spacing.way / 2 : to];
      // Ways hold together more than anything, so that long links run straight.
      return [{ a, b, shift: out - into, weight: a.isWay && b.isWay ? 3 * weight : weight }];
    });
  });
}

/** Sorts the lanes forth and back by their neighbours, then evens the heights out. */
function order(columns: readonly Column[], joints: readonly Joint[]): void {
  const inputs = Map.groupBy(joints, ({ b }) => b);
  const outputs = Map.groupBy(joints, ({ a }) => a);
  for (let sweep = 0; sweep < sweeps.all; sweep++) {
    const isOrdering = sweep < sweeps.order;
    const isForward = sweep % 2 === 0;
    const wish = (cell: Cell): number => {
      const left = isOrdering && !isForward ? [] : (inputs.get(cell) ?? []);
      const right = isOrdering && isForward ? [] : (outputs.get(cell) ?? []);
      let [sum, weights] = [0, 0];
      for (const { a, shift, weight } of left) [sum, weights] = [sum + (a.y + shift) * weight, weights + weight];
      for (const { b, shift, weight } of right) [sum, weights] = [sum + (b.y - shift) * weight, weights + weight];
      return weights > 0 ? sum / weights : cell.y;
    };
    for (const { cells } of isForward ? columns : columns.toReversed()) {
      const wishes = new Map(cells.map((cell) => [cell, wish(cell)]));
      const wished = (cell: Cell): number => wishes.get(cell) ?? 0;
      if (isOrdering) cells.sort((a, b) => wished(a) - wished(b));
      settle(cells, wished);
    }
  }
}

/** The heights nearest to those wished, in order and without overlap (pool adjacent violators). */
function settle(cells: readonly Cell[], wish: (cell: Cell) => number): void {
  const blocks: { readonly sum: number; readonly count: number }[] = [];
  const offsets: number[] = [];
  let offset = 0;
  for (const cell of cells) {
    let [sum, count] = [wish(cell) - offset, 1];
    for (let last = blocks.at(-1); last && last.sum / last.count > sum / count; last = blocks.at(-1)) {
      blocks.pop();
      [sum, count] = [sum + last.sum, count + last.count];
    }
    blocks.push({ sum, count });
    offsets.push(offset);
    offset += cell.height + spacing.beside;
  }
  let at = 0;
  for (const { sum, count } of blocks)
    for (let own = 0; own < count; own++, at++) {
      const cell = cells[at];
      if (cell) cell.y = sum / count + (offsets[at] ?? 0);
    }
}

type Parts = {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly ways: Ways;
  /** The places that are kept; null: the picture begins at its top left. */
  readonly before: Places | null;
};

function drawn(columns: readonly Column[], links: readonly Link[], { cells, ways, before }: Parts): Layout {
  const top = columns.reduce((least, { cells: own }) => own.reduce((a, { y }) => Math.min(a, y), least), 0);
  const unmoved = lanesOf(columns);
  const shift = before ? { x: keptShift(unmoved, before), y: 0 } : { x: 0, y: -top };
  const lanes = unmoved.map((lane) => ({ ...lane, x: lane.x + shift.x }));
  for (const { cells: own } of columns) for (const cell of own) cell.y += shift.y;
  const columnOf = new Map(columns.flatMap(({ cells: own }, index) => own.map((cell) => [cell, index] as const)));
  const places = new Map(
    [...cells].map(([id, cell]): [string, Place] => {
      const { x = 0, width = 0 } = lanes[columnOf.get(cell) ?? 0] ?? {};
      return [id, { x, y: cell.y, width, height: cell.height }];
    }),
  );
  const routeOf = ({ id, source, target, from, to }: Link): Point[] => {
    const [start, end] = [cells.get(source), cells.get(target)];
    if (start === undefined || end === undefined) return [];
    const [first, last] = [columnOf.get(start) ?? 0, columnOf.get(end) ?? 0];
    const [out, into] = [start.y + from, end.y + to];
    const tracks = new Map(ways.get(id)?.map((way) => [columnOf.get(way), way.y + spacing.way / 2]));
    const lastOfSource = columns.findIndex(({ isLast }, index) => isLast && index >= first);
    const heights = columns.map(({ cells: own, isWrapped }, index) => {
      if (index <= first || index >= last) return undefined;
      if (!isWrapped) return tracks.get(index);
      return index <= lastOfSource ? heightBetween(own, out, spacing.near) : heightBetween(own, into, spacing.far);
    });
    const passed = lanes.flatMap(({ x, width }, index) => {
      const y = heights[index];
      return y === undefined ? [] : [x, x + width].map((side) => ({ x: side, y }));
    });
    const [left, right] = [lanes[first], lanes[last]];
    return [{ x: (left?.x ?? 0) + (left?.width ?? 0), y: out }, ...passed, { x: right?.x ?? 0, y: into }];
  };
  return { places, routes: new Map(links.map((link) => [link.id, routeOf(link)])), lanes, isKept: before !== null };
}

/**
 * The height nearest to one wished at which a line passes between the boxes of a column, so far below one: near to the
 * box beside its start or above the box beside its end, so that lines of both kinds lie apart.
 */
function heightBetween(cells: readonly Cell[], wish: number, below: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 0; index <= cells.length; index++) {
    const [before, next] = [cells[index - 1], cells[index]];
    const least = before ? before.y + before.height + below : Number.NEGATIVE_INFINITY;
    const most = next ? next.y - (spacing.beside - below) : Number.POSITIVE_INFINITY;
    const height = Math.min(most, Math.max(least, wish));
    if (Math.abs(height - wish) < Math.abs(nearest - wish)) nearest = height;
  }
  return nearest;
}

function lanesOf(columns: readonly Column[]): Lane[] {
  let next = 0;
  return columns.map(({ cells, isLast }) => {
    const [x, width] = [next, cells.reduce((most, cell) => Math.max(most, cell.width), 0)];
    next += width + (isLast ? spacing.between : spacing.wrapped);
    return { x, width, ids: cells.filter(({ isWay }) => !isWay).map(({ id }) => id) };
  });
}

/** The way sideways that leaves most of what has a place there. */
const keptShift = (lanes: readonly Lane[], before: Places): number =>
  median(lanes.flatMap(({ x, ids }) => ids.flatMap((id) => (before.has(id) ? (before.get(id)?.x ?? 0) - x : []))));

/**
 * A curve between lanes, straight past the boxes of one. It is drawn from its end, so that the dashes of lines that
 * share the last part of their way lie on each other and do not fill their gaps.
 */
export function pathOf(points: readonly Point[]): string {
  return points
    .toReversed()
    .map(({ x, y }, index, all) => {
      const before = all[index - 1];
      if (before === undefined) return `M${x} ${y}`;
      if (index % 2 === 0) return `L${x} ${y}`;
      const bend = x < before.x ? (x - before.x) / 2 : -60;
      return `C${before.x + bend} ${before.y} ${x - bend} ${y} ${x} ${y}`;
    })
    .join('');
}

const longestName = 30;

/** A name as a drawn box has room for it, cut in front: the relations of a schema differ at their ends. By characters: a drawing with half of one is no image. */
export function shortened(name: string): string {
  const characters = [...name];
  return characters.length > longestName ? `…${characters.slice(1 - longestName).join('')}` : name;
}
