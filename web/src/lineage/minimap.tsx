import { useReactFlow, useStore } from '@xyflow/react';
import { type PointerEvent, useMemo } from 'react';
import type { Places } from './places.ts';

const margin = 40;

/** The whole picture in small, with what is in sight; a press or a drag moves there. One shape for all relations, however many. */
export function Minimap({ places }: { readonly places: Places }) {
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
