import './graph-overlays.css';
import { useReactFlow, useStore } from '@xyflow/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type PointerEvent, useMemo, useRef } from 'react';
import { texts } from '../texts.ts';
import type { Picture } from './groups.ts';
import type { Lane, Layout, Place, Places } from './layout.ts';

type LaneStripProps = { readonly layout: Layout; readonly picture: Picture; readonly root: string };

/** The names of the picture's columns, which move with it, and how much is beyond its sides. */
export function LaneStrip({ layout: { lanes, places }, picture, root }: LaneStripProps) {
  const [x, , zoom] = useStore(({ transform }) => transform);
  const width = useStore((store) => store.width);
  // Not anew with each frame of a movement.
  const heads = useMemo(() => headsOf(lanes, picture, root), [lanes, picture, root]);
  const all = [...places.values()];
  const left = all.filter((place) => (place.x + place.width) * zoom + x < 0).length;
  const right = all.filter((place) => place.x * zoom + x > width).length;
  // The name of a lane that begins below the button stays beside it, as long as it has room.
  const first = left > 0 ? buttonRoom : Number.NEGATIVE_INFINITY;
  const seen = heads.flatMap((head) => {
    const at = Math.max(head.x * zoom + x, first);
    const room = (head.x + head.room) * zoom + x - 8 - at;
    return room > leastHead ? [{ ...head, at: Math.round(at), room }] : [];
  });
  return (
    <div className="lane-strip">
      <div aria-hidden="true">
        {seen.map(({ x: lane, at, room, name, count, isRoot }) => (
          <span key={lane} data-root={isRoot} style={{ transform: `translateX(${at}px)`, maxWidth: room }}>
            <i>{name}</i>
            {!isRoot && <b>{texts.relations(count)}</b>}
          </span>
        ))}
      </div>
      {left > 0 && <Beyond side="left" count={left} step={width * 0.8} />}
      {right > 0 && <Beyond side="right" count={right} step={-width * 0.8} />}
    </div>
  );
}

/** The width below which the name of a column says nothing. */
const leastHead = 72;

/** The width that the button at the left takes. */
const buttonRoom = 132;

type Head = {
  readonly x: number;
  readonly room: number;
  readonly name: string;
  readonly count: number;
  readonly isRoot: boolean;
};

/** What is above each lane; lanes beside each other at one distance have one head. */
function headsOf(lanes: readonly Lane[], picture: Picture, root: string): Head[] {
  const heads: Omit<Head, 'room'>[] = [];
  for (const lane of lanes) {
    const [name, count] = [nameOfLane(lane, picture, root), countOf(lane, picture)];
    const last = heads.at(-1);
    if (last && name !== '' && last.name === name) heads[heads.length - 1] = { ...last, count: last.count + count };
    else heads.push({ x: lane.x, name, count, isRoot: root !== '' && lane.ids.includes(root) });
  }
  // Up to the next one; no picture is as wide as what the last one has.
  return heads.map((head, index) => ({ ...head, room: (heads[index + 1]?.x ?? 1e7) - head.x }));
}

const countOf = ({ ids }: Lane, { groups }: Picture): number =>
  ids.reduce((sum, id) => sum + (groups.find((group) => group.id === id)?.members.length ?? 1), 0);

/** By the distance from the root if all of a lane have the same; else nothing true can be said of all. */
function nameOfLane({ ids }: Lane, { relations }: Picture, root: string): string {
  if (root !== '' && ids.includes(root)) return texts.lineage.thisRelation;
  const rows = relations.filter(({ id }) => ids.includes(id)).map(({ row }) => row);
  const [first] = rows;
  if (!first || rows.length < ids.length) return '';
  const isSame = rows.every((row) => row?.depth === first.depth && row.direction === first.direction);
  return isSame ? texts.lineage.steps(first.depth, first.direction) : '';
}

type BeyondProps = { readonly side: 'left' | 'right'; readonly count: number; readonly step: number };

/** How many parts of the picture are beyond a side; moves the picture by most of a screen. */
function Beyond({ side, count, step }: BeyondProps) {
  const { getViewport, setViewport } = useReactFlow();
  const move = () => {
    const { x, y, zoom } = getViewport();
    void setViewport({ x: x + step, y, zoom }, { duration: 200 });
  };
  return (
    <button type="button" className="beyond" tabIndex={-1} data-side={side} onClick={move}>
      {side === 'left' && <ChevronLeft size={13} />}
      {texts.lineage.further[side](count)}
      {side === 'right' && <ChevronRight size={13} />}
    </button>
  );
}

const margin = 40;

type MinimapProps = { readonly places: Places; readonly isMoving: boolean };

/** The whole picture in small, if not all is in sight; a press or a drag moves there. One shape for all relations. */
export function Minimap({ places, isMoving }: MinimapProps) {
  const corner = useFreeCorner(places, isMoving);
  const { setCenter, getZoom } = useReactFlow();
  const { left, top, right, bottom, viewBox, shape } = useMemo(() => drawn(places), [places]);
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
  if (x <= left && y <= top && x + width >= right && y + height >= bottom) return null;
  return (
    <svg
      className="minimap"
      data-corner={corner}
      aria-hidden="true"
      viewBox={viewBox}
      onPointerDown={go}
      onPointerMove={go}
    >
      <path className="minimap-relations" d={shape} />
      <path className="minimap-beyond" d={`${rectangle(vast)}${rectangle({ x, y, width, height })}`} />
    </svg>
  );
}

/** The room that the map needs, below the names of lanes and above the tools. */
const mapRoom = { width: 156, height: 100, top: 30, bottom: 52 } as const;
const corners = ['bottom right', 'top right', 'top left', 'bottom left'] as const;

/** The first corner where the map covers no relation; it stays while the picture moves, and where none is free. */
function useFreeCorner(places: Places, isMoving: boolean): string {
  const last = useRef<string>(corners[0]);
  last.current = useStore(({ transform: [x, y, zoom], width, height }) => {
    if (isMoving) return last.current;
    const isCovered = (place: Place, left: number, top: number) =>
      place.x * zoom + x < left + mapRoom.width &&
      (place.x + place.width) * zoom + x > left &&
      place.y * zoom + y < top + mapRoom.height &&
      (place.y + place.height) * zoom + y > top;
    const isFree = (corner: string) => {
      const left = corner.endsWith('left') ? 0 : width - mapRoom.width;
      const lowest = height - mapRoom.height - (corner === 'bottom left' ? mapRoom.bottom : 0);
      const top = corner.startsWith('top') ? mapRoom.top : lowest;
      return !places.values().some((place) => isCovered(place, left, top));
    };
    return corners.find(isFree) ?? last.current;
  });
  return last.current;
}

/** Larger than any picture: what is cut out of it is in sight. */
const vast: Place = { x: -1e7, y: -1e7, width: 2e7, height: 2e7 };

const rectangle = ({ x, y, width, height }: Place): string => `M${x} ${y}h${width}v${height}h${-width}z`;

/** The extent of the picture and of the map, which has a margin, and the shape of all that is placed. */
function drawn(places: Places) {
  const all = [...places.values()];
  const [left, top] = [Math.min(0, ...all.map(({ x }) => x)), Math.min(0, ...all.map(({ y }) => y))];
  const right = Math.max(0, ...all.map(({ x, width }) => x + width));
  const bottom = Math.max(0, ...all.map(({ y, height }) => y + height));
  const [width, height] = [right - left + 2 * margin, bottom - top + 2 * margin];
  const viewBox = [left - margin, top - margin, width, height].join(' ');
  return { left, top, right, bottom, viewBox, shape: all.map(rectangle).join('') };
}
