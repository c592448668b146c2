import { Link } from '@tanstack/react-router';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { percent } from '../parts/percent.ts';
import { texts } from '../texts.ts';
import { usePicture } from './active.ts';
import { written } from './address.ts';
import type { Line } from './groups.ts';

export type LineageEdgeType = Edge<
  { readonly line: Line; readonly name: string; readonly isBehindColumns: boolean; readonly mark?: string },
  'lineage'
>;

const weakBelow = 0.6;

/** An edge between relations; in its middle the link to its evidence, which a keyboard reaches. */
export function LineageEdge({ data, ...ends }: EdgeProps<LineageEdgeType>) {
  const { address, path, place } = usePicture();
  const [curve, x, y] = getBezierPath(ends);
  if (data === undefined) return null;
  const { line, name, isBehindColumns, mark } = data;
  const [edge] = line.edges;
  const isChosen =
    address.edge !== null &&
    line.edges.some(
      ({ upstream, downstream }) => upstream === address.edge?.upstream && downstream === address.edge.downstream,
    );
  const confidence = Math.max(...line.edges.map((one) => one.confidence));
  const state = {
    'data-stale': line.edges.every(({ status }) => status === 'stale'),
    'data-weak': confidence < weakBelow,
    'data-chosen': isChosen,
    'data-behind': isBehindColumns,
    'data-mark': mark,
    'data-dimmed': path !== null && !(path.has(line.source) && path.has(line.target)),
  };
  return (
    <>
      <g className="lineage-edge" {...state}>
        <BaseEdge path={curve} interactionWidth={14} {...(ends.markerEnd && { markerEnd: ends.markerEnd })} />
      </g>
      {edge && (
        <EdgeLabelRenderer>
          <div className="edge-place nopan" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
            {line.edges.length === 1 ? (
              <Link
                to="/lineage"
                search={written({
                  ...address,
                  relation: address.relation || edge.downstream,
                  edge: { upstream: edge.upstream, downstream: edge.downstream },
                })}
                resetScroll={false}
                className="edge-link"
                aria-label={texts.lineage.edgeName(edge.upstream, edge.downstream)}
                title={texts.evidence.confidence(percent(edge.confidence))}
                onFocus={() => place.activate(address.relation)}
                {...state}
              >
                <span className="edge-dot" />
              </Link>
            ) : (
              <span className="edge-count" title={name}>
                {line.edges.length}
              </span>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

export type ColumnEdgeType = Edge<
  { readonly kind: 'DIRECT' | 'INDIRECT' | 'MASKED'; readonly from: string; readonly to: string },
  'column'
>;

/** An edge between columns. */
export function ColumnEdge({ data, ...ends }: EdgeProps<ColumnEdgeType>) {
  const { litColumns, path } = usePicture();
  const [curve] = getBezierPath(ends);
  if (data === undefined) return null;
  const isLit = litColumns.has(data.from) && litColumns.has(data.to);
  return (
    <g
      className="column-edge"
      data-kind={data.kind}
      data-lit={isLit}
      data-dimmed={
        (litColumns.size > 0 && !isLit) || (path !== null && !(path.has(ends.source) && path.has(ends.target)))
      }
    >
      <BaseEdge path={curve} interactionWidth={14} />
    </g>
  );
}
