import { ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useCallback, useEffect, useMemo, useState } from 'react';
import { texts } from '../texts.ts';
import { PictureContext } from './active.ts';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { FarEdges } from './far-edges.tsx';
import { edgesOf, type Marks, nodesOf, type PictureEdge, type PictureNode } from './flow-elements.ts';
import { GraphTools } from './graph-tools.tsx';
import { GroupNode } from './group-node.tsx';
import type { Picture } from './groups.ts';
import { layOut } from './layout.ts';
import { Legend } from './legend.tsx';
import { ColumnEdge, LineageEdge } from './lineage-edge.tsx';
import { Minimap } from './minimap.tsx';
import type { Places } from './places.ts';
import { RelationNode } from './relation-node.tsx';
import { usePictureState } from './use-picture-state.ts';
import './graph.css';
import './nodes.css';
import './edges.css';
import './graph-overlays.css';

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

/** Below the first zoom names alone can be read, below the second nothing. */
const [farBelow, speckBelow] = [0.32, 0.2];
/** So many parts are drawn whole at every zoom. */
const manyParts = 150;
const noEdges: PictureEdge[] = [];

function Drawn({ shown, picture, address, change, undo, marks, places, withColumns }: DrawnProps) {
  const edges = useMemo(
    () => edgesOf(picture, shown.paths, withColumns, marks),
    [picture, shown.paths, withColumns, marks],
  );
  // What can be chosen on a line stays large enough for a pointer.
  const ring = useStore(({ transform }) => Math.min(2, Math.max(1, Math.round(4 / transform[2]) / 4)));
  const isMany = picture.relations.length + picture.groups.length > manyParts;
  const isFar = useStore(({ transform }) => transform[2] < farBelow);
  const isSpeck = useStore(({ transform }) => isMany && transform[2] < speckBelow);
  const nodes = useMemo(
    () => nodesOf(picture, places, { withColumns, isSpeck, marks }),
    [picture, places, withColumns, isSpeck, marks],
  );
  const state = usePictureState({ shown, picture, address, change, places, withColumns });
  useFitted(places, shown.root);
  const moving = useMoving();
  // The same functions every time: with others, everything would be drawn again.
  const { activate } = state.place;
  const pointAt = useCallback((_: unknown, { id }: PictureNode) => activate(id), [activate]);
  const chooseEdge = useCallback((_: unknown, edge: PictureEdge) => choose(edge, change), [change]);
  return (
    <PictureContext value={state}>
      <ReactFlow
        data-detail={isFar ? 'far' : 'near'}
        style={{ '--ring': ring } as CSSProperties}
        nodes={nodes}
        edges={isFar && isMany ? noEdges : edges}
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
        onlyRenderVisibleElements={isMany}
        // Entering would also be told where the picture moves and the pointer rests.
        onNodeMouseMove={pointAt}
        onEdgeClick={chooseEdge}
        {...moving}
        deleteKeyCode={null}
        proOptions={{ hideAttribution: true }}
      >
        {isFar && isMany && <FarEdges picture={picture} places={places} marks={marks} />}
      </ReactFlow>
      <Minimap places={places} />
      <GraphTools picture={picture} places={places} shown={shown} withColumns={withColumns} undo={undo} marks={marks} />
      <Legend withColumns={withColumns} />
    </PictureContext>
  );
}

/** While the picture moves it is moved as painted, and painted again where it comes to rest. */
function useMoving() {
  const [isMoving, setMoving] = useState(false);
  const onMoveStart = useCallback(() => setMoving(true), []);
  const onMoveEnd = useCallback(() => setMoving(false), []);
  return { 'data-moving': isMoving, onMoveStart, onMoveEnd };
}

/** Shows the evidence of an edge; of an edge between columns, that of their relations. */
function choose({ source, target, data }: PictureEdge, change: Change): void {
  const edges = data && 'line' in data ? data.line.edges : [{ upstream: source, downstream: target }];
  const [edge, ...others] = edges;
  if (edge && others.length === 0) change({ edge: { upstream: edge.upstream, downstream: edge.downstream } });
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
