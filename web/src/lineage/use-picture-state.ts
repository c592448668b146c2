import { useReactFlow, useStore } from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { highlightedBy, neighboursOf, pathTo } from './flow-elements.ts';
import type { Picture } from './groups.ts';
import type { Place, Places } from './layered-places.ts';
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
export function usePictureState({ shown, picture, places, ...parts }: Parts): PictureState {
  const { address, change, withColumns } = parts;
  const { root } = shown;
  const [column, highlight] = useState<string | null>(null);
  const { setCenter, getZoom } = useReactFlow();
  const nodeFocus = useMemo(() => createNodeFocus(root), [root]);
  const highlightedColumns = useMemo(() => highlightedBy(column, shown.paths), [column, shown.paths]);
  const path = useMemo(() => pathTo(address.to, root, picture.lines), [address.to, root, picture.lines]);
  const neighbours = useMemo(() => neighboursOf(shown.edges), [shown.edges]);
  const connectorOf = useMemo(() => connectorsOf(shown.rows, address.connector), [shown.rows, address.connector]);
  return useMemo(() => {
    const move = (from: string, key: string) => {
      const next = neighbour(places, from, key);
      const to = next === null ? undefined : places.get(next);
      if (next === null || to === undefined) return;
      void setCenter(to.x + to.width / 2, to.y + to.height / 2, { zoom: getZoom() });
      nodeFocus.focus(next);
    };
    const shared = { address, change, root, nodeFocus, move, withColumns, highlightedColumns, highlight, path };
    return { ...shared, neighbours, connectorOf };
  }, [
    address,
    change,
    root,
    nodeFocus,
    places,
    setCenter,
    getZoom,
    withColumns,
    highlightedColumns,
    path,
    neighbours,
    connectorOf,
  ]);
}

function connectorsOf(rows: Shown['rows'], own: string): (relation: string) => string {
  const known = new Map(rows.map(({ relation, connector }) => [relation, connector]));
  return (relation) => known.get(relation) ?? own;
}

/** A picture of little is not blown up beyond what the text around it has. */
export const fitting = { padding: 0.06, maxZoom: Math.max(1.1, window.innerWidth / 1_700), duration: 0 };

/** On a narrow screen the whole would be too small to be read: it begins at the root. */
const narrowBelow = 620;
const readableZoom = 0.8;

/** Shows everything again whenever something else is drawn. */
export function useFitted(places: Places, root: string): void {
  const { fitView } = useReactFlow();
  const isNarrow = useStore(({ width }) => width > 0 && width < narrowBelow);
  useEffect(() => {
    const frame = requestAnimationFrame(
      () =>
        void fitView(
          isNarrow && places.has(root) ? { ...fitting, maxZoom: readableZoom, nodes: [{ id: root }] } : fitting,
        ),
    );
    return () => cancelAnimationFrame(frame);
  }, [places, root, isNarrow, fitView]);
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
