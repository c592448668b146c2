import { Link } from '@tanstack/react-router';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { percent } from '../parts/day-bars.tsx';
import { texts } from '../texts.ts';
import { type Address, written } from './address.ts';
import type { EdgeOfAnswer } from './answer.ts';
import type { Line } from './groups.ts';
import { usePicture } from './picture-context.ts';

export type LineageEdgeType = Edge<
  { readonly line: Line; readonly name: string; readonly isBehindColumns: boolean; readonly mark?: string },
  'lineage'
>;

const weakBelow = 0.6;

/** An edge between relations; in its middle the link to its evidence, which a keyboard reaches. */
export function LineageEdge({ data, ...ends }: EdgeProps<LineageEdgeType>) {
  const { address, path } = usePicture();
  const [curve, x, y] = getBezierPath(ends);
  if (data === undefined) return null;
  const { line, name, isBehindColumns, mark } = data;
  const state = {
    'data-stale': line.edges.every(({ status }) => status === 'stale'),
    'data-weak': line.edges.every(({ confidence }) => confidence < weakBelow),
    'data-chosen': line.edges.some((edge) => isSame(edge, address.edge)),
    'data-behind': isBehindColumns,
    'data-mark': mark,
    'data-dimmed': path !== null && !(path.has(line.source) && path.has(line.target)),
  };
  return (
    <>
      <g className="lineage-edge" {...state}>
        <BaseEdge path={curve} interactionWidth={14} {...(ends.markerEnd && { markerEnd: ends.markerEnd })} />
      </g>
      <EdgeLabelRenderer>
        <div className="edge-place nopan" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
          <EdgeLabel line={line} name={name} state={state} />
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

const isSame = ({ upstream, downstream }: EdgeOfAnswer, chosen: Address['edge']): boolean =>
  upstream === chosen?.upstream && downstream === chosen.downstream;

type EdgeLabelProps = {
  readonly line: Line;
  readonly name: string;
  readonly state: Readonly<Record<string, string | boolean | undefined>>;
};

/** The link to the evidence of an edge; of several that are drawn as one, how many they are. */
function EdgeLabel({ line: { edges }, name, state }: EdgeLabelProps) {
  const { address, nodeFocus } = usePicture();
  const [edge] = edges;
  if (edge === undefined) return null;
  if (edges.length > 1)
    return (
      <span className="edge-count" title={name}>
        {edges.length}
      </span>
    );
  const { upstream, downstream, confidence } = edge;
  return (
    <Link
      to="/lineage"
      search={written({ ...address, relation: address.relation || downstream, edge: { upstream, downstream } })}
      resetScroll={false}
      className="edge-link"
      aria-label={texts.lineage.edgeName(upstream, downstream)}
      title={texts.evidence.confidence(percent(confidence))}
      onFocus={() => nodeFocus.activate(address.relation)}
      {...state}
    >
      <span className="edge-dot" />
    </Link>
  );
}

export type ColumnEdgeType = Edge<
  { readonly kind: 'DIRECT' | 'INDIRECT' | 'MASKED'; readonly from: string; readonly to: string },
  'column'
>;

/** An edge between columns. */
export function ColumnEdge({ data, ...ends }: EdgeProps<ColumnEdgeType>) {
  const { highlightedColumns, path } = usePicture();
  const [curve] = getBezierPath(ends);
  if (data === undefined) return null;
  const isHighlighted = highlightedColumns.has(data.from) && highlightedColumns.has(data.to);
  return (
    <g
      className="column-edge"
      data-kind={data.kind}
      data-highlighted={isHighlighted}
      data-dimmed={
        (highlightedColumns.size > 0 && !isHighlighted) ||
        (path !== null && !(path.has(ends.source) && path.has(ends.target)))
      }
    >
      <BaseEdge path={curve} interactionWidth={14} />
    </g>
  );
}
