import { useReactFlow, useStore } from '@xyflow/react';
import { useEffect } from 'react';
import type { Places } from './places.ts';

/** A picture of little is not blown up beyond what the text around it has. */
export const fitting = { padding: 0.06, maxZoom: Math.max(1.1, window.innerWidth / 1_700), duration: 0 };

/** On a narrow screen the whole would be too small to be read: it begins at the root. */
const narrowBelow = 620;
const readableZoom = 0.8;

/** Shows everything again whenever something else is drawn. */
export function useFitted(places: Places, root: string): void {
  const { fitView } = useReactFlow();
  const isNarrow = useStore(({ width }) => width > 0 && width < narrowBelow);
  useEffect(() => {
    const frame = requestAnimationFrame(
      () =>
        void fitView(
          isNarrow && places.has(root) ? { ...fitting, maxZoom: readableZoom, nodes: [{ id: root }] } : fitting,
        ),
    );
    return () => cancelAnimationFrame(frame);
  }, [places, root, isNarrow, fitView]);
}
