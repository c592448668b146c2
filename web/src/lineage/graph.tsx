import { ReactFlow, ReactFlowProvider } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useCallback, useMemo, useState } from 'react';
import { texts } from '../texts.ts';
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
import { type NodeFocus, PictureContext } from './picture-context.ts';
import type { Places } from './places.ts';
import { RelationNode } from './relation-node.tsx';
import { fitting, useFitted } from './use-fitted.ts';
import { usePictureState } from './use-picture-state.ts';
import { useZoomDetail } from './use-zoom-detail.ts';
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
        <GraphLayout {...props} />
      </ReactFlowProvider>
    </section>
  );
}

function GraphLayout(props: GraphProps) {
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
  return <GraphCanvas {...props} places={laid.data} withColumns={withColumns} />;
}

type GraphCanvasProps = GraphProps & {
  readonly places: Places;
  readonly withColumns: boolean;
};

const noEdges: PictureEdge[] = [];

/** What the library would let a person do with the parts, and the picture does not. */
const fixed = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  deleteKeyCode: null,
  proOptions: { hideAttribution: true },
} as const;

function GraphCanvas(props: GraphCanvasProps) {
  const { shown, picture, address, change, undo, marks, places, withColumns } = props;
  const { isMany, isFar, isPlain, ring } = useZoomDetail(picture.relations.length + picture.groups.length);
  const { nodes, edges } = useFlowElements(props, isPlain);
  const state = usePictureState({ shown, picture, address, change, places, withColumns });
  const pointing = usePointing(state.nodeFocus, change);
  const moving = useMoving();
  useFitted(places, shown.root);
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
        onlyRenderVisibleElements={isMany}
        {...fixed}
        {...pointing}
        {...moving}
      >
        {isFar && isMany && <FarEdges picture={picture} places={places} marks={marks} />}
      </ReactFlow>
      <Minimap places={places} />
      <GraphTools picture={picture} places={places} shown={shown} withColumns={withColumns} undo={undo} marks={marks} />
      <Legend withColumns={withColumns} />
    </PictureContext>
  );
}

function useFlowElements({ shown, picture, marks, places, withColumns }: GraphCanvasProps, isPlain: boolean) {
  const { paths } = shown;
  const edges = useMemo(() => edgesOf(picture, paths, withColumns, marks), [picture, paths, withColumns, marks]);
  const nodes = useMemo(
    () => nodesOf(picture, places, { withColumns, isPlain, marks }),
    [picture, places, withColumns, isPlain, marks],
  );
  return { nodes, edges };
}

/** What a pointer does: the same functions every time, since with others everything would be drawn again. */
function usePointing({ activate }: NodeFocus, change: Change) {
  // Entering would also be told where the picture moves and the pointer rests.
  const onNodeMouseMove = useCallback((_: unknown, { id }: PictureNode) => activate(id), [activate]);
  const onEdgeClick = useCallback((_: unknown, edge: PictureEdge) => choose(edge, change), [change]);
  return { onNodeMouseMove, onEdgeClick };
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
