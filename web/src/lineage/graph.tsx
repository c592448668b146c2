import '@xyflow/react/dist/base.css';
import './graph.css';
import './nodes.css';
import './edges.css';
import './graph-overlays.css';
import { useQuery } from '@tanstack/react-query';
import {
  getBezierPath,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  ViewportPortal,
} from '@xyflow/react';
import { type CSSProperties, memo, type PointerEvent, useCallback, useMemo, useState } from 'react';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';
import { edgesOf, type Marks, nodesOf, type PictureEdge, type PictureNode } from './flow-elements.ts';
import { GraphTools } from './graph-tools.tsx';
import { GroupNode } from './group-node.tsx';
import type { Line, Picture } from './groups.ts';
import type { Places } from './layered-places.ts';
import { layOut, sizes } from './layout.ts';
import { ColumnEdge, LineageEdge } from './lineage-edge.tsx';
import { type NodeFocus, PictureContext, usePicture } from './picture-context.ts';
import { RelationNode } from './relation-node.tsx';
import { fitting, useFitted, usePictureState } from './use-picture-state.ts';

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
  // The enter event also fires if the picture moves under a resting pointer.
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

/** What the lines mean. */
const Legend = ({ withColumns }: { readonly withColumns: boolean }) => (
  <ul className="legend" aria-label={texts.lineage.legend.label}>
    {withColumns && <li data-line="direct">{texts.lineage.legend.direct}</li>}
    {withColumns && <li data-line="indirect">{texts.lineage.legend.indirect}</li>}
    {withColumns && <li data-line="masked">{texts.lineage.legend.masked}</li>}
    <li data-line="weak">{texts.lineage.legend.weak}</li>
    <li data-line="stale">{texts.lineage.legend.stale}</li>
  </ul>
);

/** Below the first zoom only names are readable, below the second nothing. */
const [farBelow, plainBelow] = [0.32, 0.2];
/** The number of parts that are always drawn completely. */
const manyParts = 150;

/** How much of a picture of this many parts is worth drawing at the zoom that it is seen at. */
function useZoomDetail(parts: number) {
  const isMany = parts > manyParts;
  return {
    isMany,
    isFar: useStore(({ transform }) => transform[2] < farBelow),
    isPlain: useStore(({ transform }) => isMany && transform[2] < plainBelow),
    /** The scale of the rings on the edges, so that they stay large enough for a pointer. */
    ring: useStore(({ transform }) => Math.min(2, Math.max(1, Math.round(4 / transform[2]) / 4))),
  };
}

type FarEdgesProps = { readonly picture: Picture; readonly places: Places; readonly marks?: Marks | undefined };

/**
 * The edges of a large picture that is seen from afar: one element for all that look alike, instead of five for each.
 * They expand one by one when zoomed in.
 */
const FarEdges = memo(function FarEdges({ picture, places, marks }: FarEdgesProps) {
  const { path } = usePicture();
  const kindOf = ({ id, source, target, edges }: Line): string =>
    JSON.stringify({
      'data-stale': edges.every(({ status }) => status === 'stale'),
      'data-mark': marks?.edges.get(id),
      'data-dimmed': path !== null && !(path.has(source) && path.has(target)),
    });
  return (
    <ViewportPortal>
      <svg className="far-edges" aria-hidden="true">
        {[...Map.groupBy(picture.lines, kindOf)].map(([kind, lines]) => (
          <g key={kind} className="lineage-edge" {...JSON.parse(kind)}>
            <path className="react-flow__edge-path" d={lines.map((line) => curveOf(line, places)).join('')} />
          </g>
        ))}
      </svg>
    </ViewportPortal>
  );
});

function curveOf({ source, target }: Line, places: Places): string {
  const [from, to] = [places.get(source), places.get(target)];
  if (from === undefined || to === undefined) return '';
  const [curve] = getBezierPath({
    sourceX: from.x + from.width,
    sourceY: from.y + sizes.head / 2,
    sourcePosition: Position.Right,
    targetX: to.x,
    targetY: to.y + sizes.head / 2,
    targetPosition: Position.Left,
  });
  return curve;
}

const margin = 40;

/** A minimap with the visible area; a press or a drag moves there. One shape for all relations, however many. */
function Minimap({ places }: { readonly places: Places }) {
  const { setCenter, getZoom } = useReactFlow();
  const { box, shape } = useMemo(() => drawn(places), [places]);
  const x = useStore(({ transform }) => -transform[0] / transform[2]);
  const y = useStore(({ transform }) => -transform[1] / transform[2]);
  const width = useStore(({ transform, width: own }) => own / transform[2]);
  const height = useStore(({ transform, height: own }) => own / transform[2]);
  const go = ({ currentTarget, clientX, clientY, buttons }: PointerEvent<SVGSVGElement>) => {
    const toPicture = currentTarget.getScreenCTM()?.inverse();
    if (buttons === 0 || toPicture === undefined) return;
    const at = new DOMPoint(clientX, clientY).matrixTransform(toPicture);
    void setCenter(at.x, at.y, { zoom: getZoom() });
  };
  return (
    <svg
      className="minimap"
      aria-hidden="true"
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      onPointerDown={go}
      onPointerMove={go}
    >
      <path className="minimap-relations" d={shape} />
      <path className="minimap-beyond" d={`${rectangle(vast)}${rectangle({ x, y, width, height })}`} />
    </svg>
  );
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Larger than any picture: what is cut out of it is in sight. */
const vast: Box = { x: -1e7, y: -1e7, width: 2e7, height: 2e7 };

const rectangle = ({ x, y, width, height }: Box): string => `M${x} ${y}h${width}v${height}h${-width}z`;

function drawn(places: Places): { readonly box: Box; readonly shape: string } {
  const all = [...places.values()];
  const [left, top] = [least(all.map(({ x }) => x)), least(all.map(({ y }) => y))];
  const right = -least(all.map(({ x, width }) => -x - width));
  const bottom = -least(all.map(({ y, height }) => -y - height));
  const box = {
    x: left - margin,
    y: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
  return { box, shape: all.map(rectangle).join('') };
}

const least = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.min(one, other), 0);
