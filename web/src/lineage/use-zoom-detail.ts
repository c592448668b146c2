import { useStore } from '@xyflow/react';

/** Below the first zoom names alone can be read, below the second nothing. */
const [farBelow, plainBelow] = [0.32, 0.2];
/** So many parts are drawn whole at every zoom. */
const manyParts = 150;

/** How much of a picture of so many parts is worth drawing at the zoom that it is seen at. */
export function useZoomDetail(parts: number) {
  const isMany = parts > manyParts;
  return {
    isMany,
    isFar: useStore(({ transform }) => transform[2] < farBelow),
    isPlain: useStore(({ transform }) => isMany && transform[2] < plainBelow),
    /** By what the rings on the lines grow, so that they stay large enough for a pointer. */
    ring: useStore(({ transform }) => Math.min(2, Math.max(1, Math.round(4 / transform[2]) / 4))),
  };
}
