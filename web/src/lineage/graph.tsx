import '@xyflow/react/dist/base.css';
import './graph.css';
import './nodes.css';
import './edges.css';

import { ReactFlow, ReactFlowProvider, useStore, ViewportPortal } from '@xyflow/react';
import {
  type ClipboardEvent,
  type CSSProperties,
  type MouseEvent,
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import { type Shown, verdictOf } from './answer.ts';
import {
  boxFonts,
  edgesOf,
  layOut,
  type Marks,
  markOf,
  nodesOf,
  type PictureEdge,
  type PictureNode,
} from './flow-elements.ts';
import { LaneStrip, Minimap } from './graph-overlays.tsx';
import { GraphTools } from './graph-tools.tsx';
import { GroupNode } from './group-node.tsx';
import type { Line, Picture } from './groups.ts';
import { useInSight } from './in-sight.ts';
import { type Layout, type Point, pathOf } from './layout.ts';
import { ColumnEdge, LineageEdge } from './lineage-edge.tsx';
import { reachOf } from './path.ts';
import { PictureContext, type PictureState, usePicture } from './picture-context.ts';
import { RelationNode } from './relation-node.tsx';
import { type Drawn, manyParts, placesKept, useFirstView, usePictureState } from './use-picture-state.ts';

export type GraphProps = {
  readonly shown: Shown;
  readonly picture: Picture;
  readonly address: Address;
  readonly change: Change;
  readonly undo: (() => void) | null;
  readonly marks?: Marks;
  /** What the picture claims and what limits that, for a picture file. */
  readonly caption: readonly string[];
};

const kinds = {
  node: { relation: RelationNode, schema: GroupNode },
  edge: { lineage: LineageEdge, column: ColumnEdge },
};

export function Graph(props: GraphProps) {
  return (
    <section className="graph" aria-label={texts.lineage.graph} onCopy={copyName}>
      <ReactFlowProvider>
        <GraphLayout {...props} />
      </ReactFlowProvider>
    </section>
  );
}

/** Copies the name of the relation that has the focus, unless some text is selected. */
function copyName(event: ClipboardEvent): void {
  const { id } = event.target instanceof HTMLElement ? event.target.dataset : {};
  if (id === undefined || getSelection()?.isCollapsed === false) return;
  event.clipboardData.setData('text/plain', id);
  event.preventDefault();
}

function GraphLayout(props: GraphProps) {
  const { picture, address, shown, marks } = props;
  const withColumns = address.column.length > 0 || shown.paths.length > 0;
  const hasFonts = useFonts();
  const last = useRef<Drawn | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other fonts make other widths.
  const layout = useMemo(
    () => layOut(picture, shown.paths, { withColumns, marks, before: placesKept(last.current, address) }),
    [picture, shown.paths, withColumns, marks, hasFonts],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address that the layout was made for.
  useEffect(() => {
    last.current = { address, layout };
  }, [layout]);
  return <GraphCanvas {...props} layout={layout} withColumns={withColumns} />;
}

/** Whether the fonts that boxes are measured with are there. */
function useFonts(): boolean {
  const [hasFonts, setHasFonts] = useState(() => boxFonts.every((font) => document.fonts.check(font)));
  useEffect(() => {
    if (!hasFonts) void Promise.all(boxFonts.map((font) => document.fonts.load(font))).then(() => setHasFonts(true));
  }, [hasFonts]);
  return hasFonts;
}

type GraphCanvasProps = GraphProps & {
  readonly layout: Layout;
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
  const { shown, picture, address, change, undo, marks, layout, withColumns, caption } = props;
  const { places } = layout;
  const isMany = picture.relations.length + picture.groups.length > manyParts;
  const { detail, rows, grow } = useZoomDetail();
  const { nodes, edges } = useFlowElements(props, detail === 'plain');
  const state = usePictureState({ shown, picture, address, change, places, withColumns });
  const pointing = usePointing(state, picture, change);
  const moving = useMoving();
  const { showChosen, ...inSight } = useInSight(address);
  const isFar = isMany && detail !== 'near';
  useFirstView({ layout, picture, root: shown.root, showChosen });
  return (
    <PictureContext value={state}>
      <ReactFlow
        data-detail={detail}
        data-rows={rows}
        data-many={isMany}
        data-kept={layout.isKept}
        style={{ '--grow': grow } as CSSProperties}
        nodes={nodes}
        edges={isFar ? noEdges : edges}
        nodeTypes={kinds.node}
        edgeTypes={kinds.edge}
        minZoom={0.04}
        maxZoom={2}
        onlyRenderVisibleElements={isMany && !isFar}
        {...fixed}
        {...pointing}
        {...moving}
        {...inSight}
      >
        <EdgeEnds />
        {isFar && <FarEdges picture={picture} layout={layout} marks={marks} />}
      </ReactFlow>
      <LaneStrip layout={layout} picture={picture} root={shown.root} />
      <Minimap places={places} isMoving={moving['data-moving']} />
      <GraphTools {...{ picture, layout, shown, withColumns, undo, marks, caption }} />
    </PictureContext>
  );
}

function useFlowElements({ shown, picture, marks, layout, withColumns }: GraphCanvasProps, isPlain: boolean) {
  const { paths } = shown;
  const { places, routes } = layout;
  const edges = useMemo(
    () => edgesOf(picture, paths, { withColumns, routes, marks }),
    [picture, paths, withColumns, routes, marks],
  );
  const nodes = useMemo(
    () => nodesOf(picture, places, { withColumns, isPlain, marks }),
    [picture, places, withColumns, isPlain, marks],
  );
  return { nodes, edges };
}

/** What a pointer does: the same functions every time, since with others everything would be drawn again. */
function usePointing(
  { nodeFocus: { activate, light }, address, root }: PictureState,
  { lines }: Picture,
  change: Change,
) {
  const timer = useRef(0);
  // The enter event also fires if the picture moves under a resting pointer.
  const onNodeMouseMove = useCallback((_: unknown, { id }: PictureNode) => activate(id), [activate]);
  const onNodeMouseEnter = useCallback(
    (_: unknown, { id }: PictureNode) => {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => light('pointer', reachOf(id, lines)), debounceMs);
    },
    [light, lines],
  );
  const onNodeMouseLeave = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => light('pointer', null), 0);
  }, [light]);
  const { selected } = address;
  useEffect(() => {
    // A group that a click opened is left without an event.
    light('pointer', null);
    light('click', selected === null ? null : reachOf(selected, lines));
  }, [light, selected, lines]);
  // A click on a group opens it, and one on a tool does what the tool is for.
  const onNodeClick = useCallback(
    ({ target }: MouseEvent, { id, type }: PictureNode) => {
      const isTool = target instanceof Element && target.closest('.relation-tools') !== null;
      if (type === 'relation' && !isTool) change({ selected: id === root ? null : id, edge: null });
    },
    [change, root],
  );
  const onPaneClick = useCallback(() => selected !== null && change({ selected: null }), [change, selected]);
  const onEdgeClick = useCallback((_: unknown, edge: PictureEdge) => choose(edge, change), [change]);
  return { onNodeMouseMove, onNodeMouseEnter, onNodeMouseLeave, onNodeClick, onPaneClick, onEdgeClick };
}

/** The delay before a hovered relation highlights its neighbours: a pointer that passes by lights nothing. */
const debounceMs = 25;

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

/** Below the first zoom names are scaled up, down to the last: below that, boxes have no room for them. */
const zooms = { near: 0.9, rows: 0.75, mid: 0.55, far: 0.3 } as const;

/** The level of detail at the picture's zoom. */
const useZoomDetail = () => ({
  detail: useStore(({ transform: [, , zoom] }) =>
    zoom < zooms.far ? 'plain' : zoom < zooms.mid ? 'far' : zoom < zooms.near ? 'mid' : 'near',
  ),
  rows: useStore(({ transform: [, , zoom] }) => (zoom < zooms.rows ? 'small' : 'large')),
  /** The scale of text, in steps of an eighth of an octave, because each step redraws it. */
  grow: useStore(
    ({ transform: [, , zoom] }) =>
      2 ** (Math.ceil(8 * Math.log2(0.92 / Math.min(0.92, Math.max(zooms.far, zoom)))) / 8),
  ),
});

/** The ends of lines that pass no values on. */
const EdgeEnds = () => (
  <svg className="edge-ends" aria-hidden="true">
    <marker id="decides-rows" viewBox="-5 -5 10 10" refX="4" markerWidth="10" markerHeight="10">
      <circle r="3.5" />
    </marker>
    <marker id="masks" viewBox="-5 -5 10 10" refX="4" markerWidth="10" markerHeight="10">
      <rect x="-3" y="-3" width="6" height="6" />
    </marker>
  </svg>
);

/** The parts of a line's path: those that lines share are painted once. */
const partsOf = (route: readonly Point[]): string[] =>
  route.slice(1).map((point, index) => pathOf([...route.slice(index, index + 1), point]));

type FarEdgesProps = { readonly picture: Picture; readonly layout: Layout; readonly marks?: Marks | undefined };

/**
 * The edges of a large picture that is seen from afar: one element for all that look alike, instead of five for each.
 * They expand one by one when zoomed in.
 */
const FarEdges = memo(function FarEdges({ picture, layout, marks }: FarEdgesProps) {
  const { path } = usePicture();
  const kindOf = (line: Line): string =>
    JSON.stringify({
      'data-stale': line.edges.every(({ status }) => status === 'stale'),
      'data-verdict': verdictOf(line.edges),
      'data-mark': markOf(line, marks),
      'data-dimmed': path !== null && !(path.has(line.source) && path.has(line.target)),
    });
  return (
    <ViewportPortal>
      <svg className="far-edges" aria-hidden="true">
        {[...Map.groupBy(picture.lines, kindOf)].map(([kind, lines]) => (
          <g key={kind} className="lineage-edge" {...JSON.parse(kind)}>
            <path
              className="react-flow__edge-path"
              d={[...new Set(lines.flatMap(({ id }) => partsOf(layout.routes.get(id) ?? [])))].join('')}
            />
          </g>
        ))}
      </svg>
    </ViewportPortal>
  );
});
