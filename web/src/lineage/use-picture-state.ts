import { useReactFlow, useStore } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import { useLayerOf } from '../parts/layer.tsx';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { highlightedBy, keyOfEnd } from './flow-elements.ts';
import { type Picture, readable } from './groups.ts';
import type { Layout, Place, Places } from './layout.ts';
import { chosenParts } from './path.ts';
import { createNodeFocus, type PictureState } from './picture-context.ts';

type Parts = {
  readonly shown: Shown;
  readonly picture: Picture;
  readonly address: Address;
  readonly change: Change;
  readonly places: Places;
  readonly withColumns: boolean;
};

/** What the parts of a picture share, the same object as long as nothing of it changes. */
export function usePictureState({ shown, picture, address, change, places, withColumns }: Parts): PictureState {
  const { root } = shown;
  const [column, highlight] = useState<string | null>(null);
  const { setCenter, getZoom } = useReactFlow();
  const facts = useMemo(() => factsOf(shown, address.connector), [shown, address.connector]);
  const nodeFocus = useMemo(() => createNodeFocus(root), [root]);
  const highlightedColumns = useMemo(() => highlightedBy(column, shown.paths), [column, shown.paths]);
  const { to, schema } = address;
  const path = useMemo(() => chosenParts({ to, schema }, root, picture), [to, schema, root, picture]);
  const layerOf = useLayerOf();
  return useMemo(() => {
    const move = (from: string, key: string) => {
      const next = neighbour(places, from, key);
      const to = next === null ? undefined : places.get(next);
      if (next === null || to === undefined) return;
      const { x, y } = middleOf(to);
      void setCenter(x, y, { zoom: getZoom() });
      nodeFocus.focus(next);
    };
    return { ...facts, address, change, nodeFocus, move, withColumns, highlightedColumns, highlight, path, layerOf };
  }, [facts, address, change, nodeFocus, places, setCenter, getZoom, withColumns, highlightedColumns, path, layerOf]);
}

/** What an answer says of the parts of its picture. */
function factsOf({ root, rows, paths, edges }: Shown, connector: string) {
  const known = new Map(rows.map((row) => [row.relation, row]));
  return {
    root,
    edges,
    changes: new Map(paths.map((path) => [keyOfEnd(path.downstream), path])),
    connectorOf: (relation: string) => known.get(relation)?.connector ?? connector,
    ownersOf: (relation: string) => known.get(relation)?.owners ?? [],
  };
}

export type Drawn = { readonly address: Address; readonly layout: Layout };

/** What a person opened, expanded, hid or chose. */
const choices = ['open', 'up', 'down', 'hide', 'selected', 'edge'] as const;
const noChoice = { open: [], up: [], down: [], hide: [], selected: null, edge: null, schema: null } as const;

/** The places that stay: those of the last picture, if it answers the same question with other parts open. */
export function placesKept(last: Drawn | null, address: Address): Layout['places'] | undefined {
  if (last === null) return undefined;
  const { address: before, layout } = last;
  const questionOf = (one: Address) => JSON.stringify({ ...one, ...noChoice });
  const isSame = questionOf(before) === questionOf(address);
  // A comparison has no question: only what is opened leaves its picture as it is.
  const isStill = layout.isKept && address.relation !== '';
  return isSame && (isStill || choices.some((name) => before[name] !== address[name])) ? layout.places : undefined;
}

/** Shows everything, however small. */
export const fitting = { padding: 0.06, maxZoom: 1.05, duration: 0 };

/** The least zoom of a first view: its smallest text is 12 pixels high. In a large picture, names grow against the zoom. */
const [leastZoom, leastOfLarge] = [0.92, 0.6];
const margins = { x: 24, top: 46, bottom: 64 };

/** A first view magnifies at most so much, or more where a lane on both sides has to be out of sight. */
const [mostZoom, mostBetween] = [1.05, 1.2];

type Picturesque = {
  readonly layout: Layout;
  readonly picture: Picture;
  readonly root: string;
  /** Moves what the address chooses into sight; returns how to cancel that. */
  readonly showChosen: () => () => void;
};

/** Shows the picture anew if another question is answered: whole if its text stays readable, else the lanes round the root. */
export function useFirstView({ layout, picture, root, showChosen }: Picturesque): void {
  const { setViewport } = useReactFlow();
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  const isReady = width > 0 && height > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a picture that only gets more room stays where it is.
  useEffect(() => {
    if (!isReady || layout.isKept) return undefined;
    const isLarge = picture.groups.length > 0 || picture.relations.length > readable;
    void setViewport(firstView(layout, root, { width, height }, isLarge ? leastOfLarge : leastZoom));
    return showChosen();
  }, [layout, root, isReady, picture]);
}

/** The edges of a picture with more parts are drawn together unless it is near. */
export const manyParts = 150;

type Size = { readonly width: number; readonly height: number };

/** A viewport that cuts no lane: all lanes, or as many round the root as fit with readable text. */
function firstView({ places, lanes }: Layout, root: string, { width, height }: Size, least: number) {
  const room = { x: width - 2 * margins.x, y: height - margins.top - margins.bottom };
  const shown = lanesRound(root, lanes, room.x / least);
  const wide = room.x / shown.width;
  const boxes = shown.lanes.flatMap(({ ids }) => ids.flatMap((id) => places.get(id) ?? []));
  const top = boxes.reduce((one, place) => Math.min(one, place.y), Number.POSITIVE_INFINITY);
  const tall = boxes.reduce((one, place) => Math.max(one, place.y + place.height - top), 1);
  const free = shown.next - shown.before;
  const most = Math.min(mostBetween, Math.max(mostZoom, width / free));
  // What is too high for any readable zoom is cut below, not at its sides too.
  const high = room.y / tall < least ? width / free : room.y / tall;
  const zoom = Math.max(least, Math.min(most, wide, high));
  const at = places.get(root);
  const middle = (at?.y ?? 0) + (at?.height ?? 0) / 2;
  const rest = room.y - tall * zoom;
  const y = rest >= 0 ? rest / 2 : Math.min(0, Math.max(rest, room.y / 2 - (middle - top) * zoom));
  // In the middle, if that shows no part of another lane.
  const middleX = shown.x + (shown.width - width / zoom) / 2;
  const x = Math.max(shown.before, Math.min(middleX, shown.next - width / zoom));
  return { zoom, x: -x * zoom, y: margins.top + y - top * zoom };
}

/** What a box paints beside itself. */
const outline = 6;

/** The lane of the root with its neighbours, right and left in turn, as long as they fit into a width. */
function lanesRound(root: string, lanes: Layout['lanes'], width: number) {
  const open = { before: Number.NEGATIVE_INFINITY, next: Number.POSITIVE_INFINITY };
  if (lanes.length === 0) return { x: 0, width: 1, lanes, ...open };
  const start = Math.max(
    0,
    lanes.findIndex(({ ids }) => ids.includes(root)),
  );
  let [first, last] = [start, start];
  const extent = (from: number, to: number) => {
    const [a, b] = [lanes[from], lanes[to]];
    return a && b ? b.x + b.width - a.x : Number.POSITIVE_INFINITY;
  };
  for (let isGrowing = true; isGrowing; ) {
    const [right, left] = [extent(first, last + 1) <= width, extent(first - 1, last) <= width];
    isGrowing = right || left;
    if (right) last++;
    if (left && extent(first - 1, last) <= width) first--;
  }
  const [before, after] = [lanes[first - 1], lanes[last + 1]];
  return {
    ...{ x: lanes[first]?.x ?? 0, width: extent(first, last), lanes: lanes.slice(first, last + 1) },
    before: before ? before.x + before.width + outline : open.before,
    next: after ? after.x - outline : open.next,
  };
}

const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const middleOf = ({ x, y, width, height }: Place) => ({ x: x + width / 2, y: y + height / 2 });

/** What stands nearest in the way of an arrow key; null if nothing does. */
function neighbour(places: Places, from: string, key: string): string | null {
  const place = places.get(from);
  const [dx, dy] = ways[key] ?? [0, 0];
  if (place === undefined) return null;
  const start = middleOf(place);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [id, other] of places) {
    const { x, y } = middleOf(other);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    // What is aside counts more than what is far: an arrow follows its row or column.
    const distance = ahead + 2 * aside;
    if (id !== from && ahead > 1 && distance < least) [nearest, least] = [id, distance];
  }
  return nearest;
}
