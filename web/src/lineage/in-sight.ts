import { useReactFlow } from '@xyflow/react';
import { type FocusEvent, useCallback, useEffect, useRef } from 'react';
import type { Address } from './address.ts';

/** Moves the picture so that what has the keyboard's focus, or is chosen, is in sight; what is stays where it is. */
export function useInSight({ edge, selected }: Address) {
  const { getViewport, setViewport } = useReactFlow();
  const element = useRef<HTMLDivElement>(null);
  const show = useCallback(
    (part: Element | null | undefined) => {
      const room = element.current?.getBoundingClientRect();
      const box = part?.getBoundingClientRect();
      if (room === undefined || box === undefined) return;
      const { x, y, zoom } = getViewport();
      const across = beyond(box.left, box.right, room.left + rim.side, room.right - rim.side);
      const along = beyond(box.top, box.bottom, room.top + rim.top, room.bottom - rim.bottom);
      if (across !== 0 || along !== 0) void setViewport({ x: x + across, y: y + along, zoom });
    },
    [getViewport, setViewport],
  );
  const showChosen = useCallback(() => {
    const chosen = '.edge-link[data-chosen="true"], .relation[data-selected="true"]';
    const frame = requestAnimationFrame(() => show(element.current?.querySelector(chosen)));
    return () => cancelAnimationFrame(frame);
  }, [show]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is to be in sight.
  useEffect(showChosen, [showChosen, edge, selected]);
  const onFocus = useCallback(
    ({ target }: FocusEvent) => {
      const part = target.closest('.relation-column, .relation, .edge-link');
      if (target.matches(':focus-visible')) show(part);
    },
    [show],
  );
  return { ref: element, onFocus, showChosen };
}

/** What lies over the picture at its sides: the names of lanes above, the tools below. */
const rim = { side: 12, top: 40, bottom: 60 } as const;

const beyond = (from: number, to: number, least: number, most: number): number =>
  from < least ? least - from : to > most ? most - to : 0;
