import ElkApi from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { Picture } from './groups.ts';
import { type Places, placeInLayers } from './layered-places.ts';

/** Lengths in pixels of the picture at its natural size. */
export const sizes = { width: 196, head: 54, column: 22, foot: 6 } as const;

const heightOf = (columns: number): number => sizes.head + (columns > 0 ? columns * sizes.column + sizes.foot : 0);

let elk: InstanceType<typeof ElkApi> | null = null;

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.spacing.nodeNode': '22',
  'elk.layered.spacing.nodeNodeBetweenLayers': '46',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
};
/** Beyond this the careful layout takes a second, and of 500 relations beside one it takes a minute. */
const many = 60;

/**
 * Places everything so that left feeds right. Few are placed with care, in a worker: the page stays usable meanwhile.
 */
export async function layOut({ relations, groups, lines }: Picture, withColumns: boolean): Promise<Places> {
  const boxes = [
    ...relations.map(({ id, columns }) => ({
      id,
      width: sizes.width,
      height: heightOf(withColumns ? columns.length : 0),
    })),
    ...groups.map(({ id }) => ({ id, width: sizes.width, height: sizes.head })),
  ];
  if (boxes.length > many) return placeInLayers(boxes, lines);
  elk ??= new ElkApi({ workerFactory: () => new Worker(workerUrl) });
  const edges = lines.map(({ id, source, target }) => ({ id, sources: [source], targets: [target] }));
  const placed = await elk.layout({ id: 'picture', layoutOptions: options, children: boxes, edges });
  return new Map(
    (placed.children ?? []).map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [id, { x, y, width, height }]),
  );
}
