import { getBezierPath, Position, ViewportPortal } from '@xyflow/react';
import { memo } from 'react';
import type { Marks } from './flow-elements.ts';
import type { Line, Picture } from './groups.ts';
import { sizes } from './layout.ts';
import { usePicture } from './picture-context.ts';
import type { Places } from './places.ts';

type FarEdgesProps = { readonly picture: Picture; readonly places: Places; readonly marks?: Marks | undefined };

/**
 * The edges of a large picture that is seen from afar: one element for all that look alike, instead of five for each.
 * Whoever comes nearer gets them one by one.
 */
export const FarEdges = memo(function FarEdges({ picture, places, marks }: FarEdgesProps) {
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
