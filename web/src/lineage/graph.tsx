import { MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { texts } from '../texts.ts';
import { PictureContext, type PictureState } from './active.ts';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { edgesOf, litBy, type Marks, neighboursOf, nodesOf, pathTo } from './flow-elements.ts';
import { GraphTools } from './graph-tools.tsx';
import { GroupNode } from './group-node.tsx';
import type { Picture } from './groups.ts';
import { layOut, type Places } from './layout.ts';
import { Legend } from './legend.tsx';
import { ColumnEdge, LineageEdge } from './lineage-edge.tsx';
import { neighbour } from './neighbour.ts';
import { RelationNode } from './relation-node.tsx';
import './graph.css';

export type GraphProps = {
  readonly shown: Shown;
  readonly picture: Picture;
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  readonly marks?: Marks;
};

const kinds = {
  node: { relation: RelationNode, group: GroupNode },
  edge: { lineage: LineageEdge, column: ColumnEdge },
};

/** The picture of an answer. */
export function Graph(props: GraphProps) {
  return (
    <section className="graph" aria-label={texts.lineage.graph}>
      <ReactFlowProvider>
        <Laid {...props} />
      </ReactFlowProvider>
    </section>
  );
}

function Laid(props: GraphProps) {
  const { picture, address, shown } = props;
  const withColumns = address.column.length > 0 || shown.paths.length > 0;
  const key = JSON.stringify([
    picture.relations.map(({ id, columns }) => [id, columns.length]),
    picture.groups.map(({ id }) => id),
    picture.lines.map(({ id }) => id),
    withColumns,
  ]);
  const laid = useQuery({
    queryKey: ['layout', key],
    queryFn: () => layOut(picture, withColumns),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
    retry: false,
  });
  if (laid.error) return <p role="alert">{texts.lineage.layoutFailed}</p>;
  if (laid.data === undefined)
    return (
      <p role="status" className="graph-status">
        {texts.lineage.drawing(picture.relations.length + picture.groups.length)}
      </p>
    );
  return <Drawn {...props} places={laid.data} withColumns={withColumns} />;
}

type DrawnProps = GraphProps & {
  readonly places: Places;
  readonly withColumns: boolean;
};

function Drawn({ shown, picture, address, change, undo, marks, places, withColumns }: DrawnProps) {
  const nodes = useMemo(() => nodesOf(picture, places, marks), [picture, places, marks]);
  const edges = useMemo(
    () => edgesOf(picture, shown.paths, withColumns, marks),
    [picture, shown.paths, withColumns, marks],
  );
  const state = usePictureState({ shown, picture, address, change, places, withColumns });
  const detail = useStore(({ transform }) => (transform[2] < 0.32 ? 'far' : 'near'));
  useFitted(places, shown.root);
  return (
    <PictureContext value={state}>
      <ReactFlow
        data-detail={detail}
        nodes={nodes}
        edges={edges}
        nodeTypes={kinds.node}
        edgeTypes={kinds.edge}
        fitView
        fitViewOptions={fitting}
        minZoom={0.04}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements={nodes.length > 150}
        onNodeMouseEnter={(_, { id }) => state.activate(id)}
        onEdgeClick={(_, { data }) => {
          if (data === undefined || !('line' in data)) return;
          const [edge, ...others] = data.line.edges;
          if (edge && others.length === 0) change({ edge: { upstream: edge.upstream, downstream: edge.downstream } });
        }}
        deleteKeyCode={null}
        proOptions={{ hideAttribution: true }}
      >
        <MiniMap pannable zoomable ariaLabel={null} className="minimap" />
      </ReactFlow>
      <GraphTools picture={picture} places={places} shown={shown} withColumns={withColumns} undo={undo} marks={marks} />
      <Legend withColumns={withColumns} />
    </PictureContext>
  );
}

/** A picture of little is not blown up beyond what the text around it has. */
export const fitting = { padding: 0.06, maxZoom: Math.max(1.1, window.innerWidth / 1_700), duration: 0 };

/** On a narrow screen the whole would be too small to be read: it begins at the root. */
const narrowBelow = 620;
const readableZoom = 0.8;

/** Shows everything again whenever something else is drawn. */
function useFitted(places: Places, root: string): void {
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

type Parts = Pick<DrawnProps, 'shown' | 'picture' | 'address' | 'change' | 'places' | 'withColumns'>;

function usePictureState({ shown, picture, address, change, places, withColumns }: Parts): PictureState {
  const [active, activate] = useState(shown.root);
  const [focused, setFocused] = useState<string | null>(null);
  const [column, light] = useState<string | null>(null);
  const { setCenter, getZoom } = useReactFlow();
  const litColumns = useMemo(() => litBy(column, shown.paths), [column, shown.paths]);
  const path = useMemo(() => pathTo(address.to, shown.root, picture.lines), [address.to, shown.root, picture.lines]);
  const neighbours = useMemo(() => neighboursOf(shown.edges), [shown.edges]);
  return useMemo(
    () => ({
      address,
      change,
      root: shown.root,
      active,
      activate,
      focused,
      move: (from, key) => {
        const next = neighbour(places, from, key);
        const place = next === null ? undefined : places.get(next);
        if (next === null || place === undefined) return;
        void setCenter(place.x + place.width / 2, place.y + place.height / 2, { zoom: getZoom() });
        setFocused(next);
      },
      withColumns,
      litColumns,
      light,
      path,
      neighbours,
    }),
    [
      address,
      change,
      shown.root,
      active,
      focused,
      places,
      setCenter,
      getZoom,
      withColumns,
      litColumns,
      path,
      neighbours,
    ],
  );
}
