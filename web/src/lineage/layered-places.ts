type Box = { readonly id: string; readonly width: number; readonly height: number };
type Arrow = { readonly source: string; readonly target: string };

const spacing = { beside: 22, between: 60, columns: 20 } as const;
/** More boxes above each other than this, and than make a picture as wide as a screen, are in several columns. */
const leastRows = 40;
const screenShape = 1.33;
const sweeps = 4;

/**
 * Places many boxes so that left feeds right: every box right of its inputs and near its neighbours. It takes time
 * in proportion to the boxes and arrows, if a layout that routes the arrows takes minutes of thousands.
 */
export function placeInLayers(boxes: readonly Box[], arrows: readonly Arrow[]): Places {
  const inputs = neighboursBy(arrows, 'target', 'source');
  const outputs = neighboursBy(arrows, 'source', 'target');
  const layers = layersOf(boxes, inputs, outputs);
  const middles = new Map<string, number>();
  const settle = (layer: readonly Box[]) => stack(layer, ({ id, height }, top) => middles.set(id, top + height / 2));
  for (const layer of layers) settle(layer);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForward = sweep % 2 === 0;
    const neighbours = isForward ? inputs : outputs;
    for (const layer of isForward ? layers : layers.toReversed()) settle(sorted(layer, neighbours, middles));
  }
  const rows = Math.max(leastRows, Math.ceil(screenShape * Math.sqrt(boxes.length)));
  return placed(
    layers.map((layer) => layer.toSorted(by(middles))),
    rows,
  );
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

function neighboursBy(arrows: readonly Arrow[], near: keyof Arrow, far: keyof Arrow): Neighbours {
  const neighbours = new Map<string, string[]>();
  for (const arrow of arrows) {
    const known = neighbours.get(arrow[near]);
    if (known) known.push(arrow[far]);
    else neighbours.set(arrow[near], [arrow[far]]);
  }
  return neighbours;
}

/** The boxes by their distance from boxes without inputs. Cycles are cut at their entry. */
function layersOf(boxes: readonly Box[], inputs: Neighbours, outputs: Neighbours): Box[][] {
  const depths = new Map<string, number>();
  const waiting = new Map(boxes.map(({ id }) => [id, inputs.get(id)?.length ?? 0]));
  const order = boxes.map(({ id }) => id).filter((id) => waiting.get(id) === 0);
  const unplaced = new Set(boxes.map(({ id }) => id));
  for (let at = 0; unplaced.size > 0; at++) {
    const id = order[at] ?? unplaced.values().next().value ?? '';
    if (order[at] === undefined) order.push(id);
    if (!unplaced.delete(id)) continue;
    const depth = depths.get(id) ?? 0;
    depths.set(id, depth);
    for (const next of outputs.get(id) ?? []) {
      if (!unplaced.has(next)) continue;
      depths.set(next, Math.max(depths.get(next) ?? 0, depth + 1));
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) order.push(next);
    }
  }
  pullSources(boxes, depths, inputs, outputs);
  return [...Map.groupBy(boxes, ({ id }) => depths.get(id) ?? 0)]
    .toSorted(([a], [b]) => a - b)
    .map(([, layer]) => layer);
}

/** What nothing feeds stands beside what it feeds first. */
function pullSources(
  boxes: readonly Box[],
  depths: Map<string, number>,
  inputs: Neighbours,
  outputs: Neighbours,
): void {
  for (const { id } of boxes) {
    const fed = outputs.get(id) ?? [];
    if (inputs.has(id) || fed.length === 0) continue;
    depths.set(
      id,
      Math.max(0, fed.reduce((least, next) => Math.min(least, depths.get(next) ?? 0), Number.POSITIVE_INFINITY) - 1),
    );
  }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const by = (heights: ReadonlyMap<string, number>) => (a: Box, b: Box) =>
  (heights.get(a.id) ?? 0) - (heights.get(b.id) ?? 0);

/** Ordered by the centers of their neighbours. Boxes without neighbours keep their place. */
function sorted(layer: readonly Box[], neighbours: Neighbours, middles: ReadonlyMap<string, number>): Box[] {
  const heightOf = (id: string) => middles.get(id) ?? 0;
  const wanted = new Map(layer.map(({ id }) => [id, mean((neighbours.get(id) ?? [id]).map(heightOf))]));
  return layer.toSorted(by(wanted));
}

/** Stands boxes above each other around the height zero, and tells the top of each. */
function stack(boxes: readonly Box[], put: (box: Box, top: number) => void): void {
  const total = boxes.reduce((sum, { height }) => sum + height + spacing.beside, -spacing.beside);
  let top = -total / 2;
  for (const box of boxes) {
    put(box, top);
    top += box.height + spacing.beside;
  }
}

/** Columns of boxes from left to right, several of a layer that is longer than a column. */
function placed(layers: readonly (readonly Box[])[], rows: number): Map<string, Place> {
  const places = new Map<string, Place>();
  let x = 0;
  for (const layer of layers) {
    const inColumn = Math.ceil(layer.length / Math.ceil(layer.length / rows));
    for (let from = 0; from < layer.length; from += inColumn) {
      const boxes = layer.slice(from, from + inColumn);
      stack(boxes, ({ id, width, height }, y) => places.set(id, { x, y, width, height }));
      x += Math.max(...boxes.map(({ width }) => width)) + spacing.columns;
    }
    x += spacing.between - spacing.columns;
  }
  return places;
}

/** Where a part of the picture stands, in pixels of its natural size. */
export type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
export type Places = ReadonlyMap<string, Place>;
