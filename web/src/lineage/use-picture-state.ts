import { useReactFlow } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { highlightedBy, neighboursOf, pathTo } from './flow-elements.ts';
import type { Picture } from './groups.ts';
import { neighbour } from './neighbour.ts';
import { createNodeFocus, type PictureState } from './picture-context.ts';
import type { Places } from './places.ts';

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
