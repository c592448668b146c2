import { Link } from '@tanstack/react-router';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { type Verdict, verdictText } from '../../../shared/contract/vocabulary.ts';
import { percent } from '../parts/day-bars.tsx';
import { texts } from '../texts.ts';
import { type Address, written } from './address.ts';
import { type ColumnPath, type EdgeOfAnswer, isDoubted, verdictOf } from './answer.ts';
import type { Line } from './groups.ts';
import { type Point, pathOf } from './layout.ts';
import { useDimmed, usePicture } from './picture-context.ts';
import { countedVerdicts } from './verdicts.tsx';

export type LineageEdgeType = Edge<
  {
    readonly line: Line;
    readonly name: string;
    readonly isBehindColumns: boolean;
    readonly route: readonly Point[];
    readonly mark?: string;
  },
  'lineage'
>;

const weakBelow = 0.6;

/** An edge between relations; in its middle the link to its evidence, which a keyboard reaches. */
export function LineageEdge({ data, ...ends }: EdgeProps<LineageEdgeType>) {
  const { address } = usePicture();
  const isDimmed = useDimmed(ends.source, ends.target);
  if (data === undefined) return null;
  const { line, name, isBehindColumns, route, mark } = data;
  const { x, y } = middleOf(route) ?? { x: (ends.sourceX + ends.targetX) / 2, y: (ends.sourceY + ends.targetY) / 2 };
  const state = {
    'data-stale': line.edges.every(({ status }) => status === 'stale'),
    'data-verdict': verdictOf(line.edges) ?? undefined,
    'data-doubted': isDoubted(line.edges),
    'data-weak': line.edges.every(({ confidence }) => confidence < weakBelow),
    'data-wide': line.edges.length > 1,
    'data-chosen': line.edges.some((edge) => isSame(edge, address.edge)),
    'data-behind': isBehindColumns,
    'data-mark': mark,
    'data-dimmed': isDimmed,
  };
  return (
    <>
      <g className="lineage-edge" {...state}>
        <title>
          {line.edges.length > 1 ? `${name}: ${countedVerdicts(line.edges)}` : line.edges.map(described).join()}
        </title>
        <BaseEdge
          path={curveOf(route, ends)}
          interactionWidth={12}
          style={{ '--width': Math.min(4.5, 1.4 + 0.6 * Math.log2(line.edges.length)) } as CSSProperties}
        />
      </g>
      <EdgeLabelRenderer>
        <div className="edge-place nopan" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
          <EdgeLabel line={line} name={name} state={state} />
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

/** Who states an edge, how far it is to be trusted, and how many of its columns are known. */
const described = ({ evidence, confidence, columns }: EdgeOfAnswer): string =>
  [
    ...new Set(evidence.map(({ provider_type }) => provider_type.replaceAll('_', ' '))),
    percent(confidence),
    ...(columns.length > 0 ? [texts.columns(columns.length)] : []),
  ].join(', ');

/** Halfway along a route, between two lanes. */
function middleOf(route: readonly Point[]): Point | null {
  const at = 2 * Math.floor(route.length / 4);
  const [a, b] = [route[at], route[at + 1]];
  return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : null;
}

/** Along the lanes; before these are known, straight on. */
const curveOf = (route: readonly Point[], ends: Parameters<typeof getBezierPath>[0]): string =>
  route.length > 1 ? pathOf(route) : getBezierPath(ends)[0];

const isSame = ({ upstream, downstream }: EdgeOfAnswer, chosen: Address['edge']): boolean =>
  upstream === chosen?.upstream && downstream === chosen.downstream;

type EdgeLabelProps = {
  readonly line: Line;
  readonly name: string;
  readonly state: Readonly<Record<string, string | boolean | undefined>>;
};

/** The link to the evidence of an edge; of several that are drawn as one, how many they are. */
function EdgeLabel({ line: { edges }, name, state }: EdgeLabelProps) {
  const { address } = usePicture();
  const [edge] = edges;
  if (edge === undefined) return null;
  if (edges.length > 1)
    return (
      <span className="edge-count" title={`${name}: ${countedVerdicts(edges)}`} {...state}>
        {edges.length}
      </span>
    );
  const { upstream, downstream, confidence, verdict, verdict_reason } = edge;
  return (
    <Link
      to="/lineage"
      search={written({ ...address, relation: address.relation || downstream, edge: { upstream, downstream } })}
      resetScroll={false}
      className="edge-link"
      aria-label={texts.lineage.edgeName(upstream, downstream)}
      aria-description={verdict ? verdictText(verdict, verdict_reason) : undefined}
      tabIndex={-1}
      data-source={upstream}
      data-target={downstream}
      data-confidence={percent(confidence)}
      onKeyDown={walkEdges}
      {...state}
    />
  );
}

/** The arrow keys and `e` lead from edge to edge, Escape back to the relation. */
function walkEdges(event: KeyboardEvent<HTMLAnchorElement>): void {
  const { key, currentTarget } = event;
  const graph = currentTarget.closest('.graph');
  const edges = [...(graph?.querySelectorAll<HTMLElement>('.edge-link') ?? [])];
  const step = { e: 1, ArrowDown: 1, ArrowUp: -1 }[key];
  const to = currentTarget.dataset['target'] ?? '';
  if (step !== undefined)
    edges.at((edges.indexOf(currentTarget) + step) % edges.length)?.focus({ preventScroll: true });
  else if (key === 'Escape')
    graph?.querySelector<HTMLElement>(`.relation-name[data-id="${CSS.escape(to)}"]`)?.focus({ preventScroll: true });
  else return;
  event.preventDefault();
}

export type ColumnEdgeType = Edge<
  {
    readonly kind: 'DIRECT' | 'INDIRECT' | 'MASKED';
    readonly change: ColumnPath['change'];
    readonly verdict: Verdict | null;
    readonly isDoubted: boolean;
    readonly from: string;
    readonly to: string;
    readonly route: readonly Point[];
  },
  'column'
>;

export function ColumnEdge({ data, ...ends }: EdgeProps<ColumnEdgeType>) {
  const { highlightedColumns } = usePicture();
  const isDimmed = useDimmed(ends.source, ends.target);
  if (data === undefined) return null;
  const isHighlighted = highlightedColumns.has(data.from) && highlightedColumns.has(data.to);
  return (
    <g
      className="column-edge"
      data-kind={data.kind}
      data-change={data.change}
      data-verdict={data.verdict}
      data-doubted={data.isDoubted}
      data-highlighted={isHighlighted}
      data-dimmed={isDimmed || (highlightedColumns.size > 0 && !isHighlighted)}
    >
      <BaseEdge path={curveOf(data.route, ends)} interactionWidth={12} />
    </g>
  );
}
