import ElkApi, { type ElkNode } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { Picture } from './groups.ts';

/** Lengths in pixels of the picture at its natural size. */
export const sizes = { width: 196, head: 54, column: 22, foot: 6 } as const;

export type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
export type Places = ReadonlyMap<string, Place>;

const heightOf = (columns: number): number => sizes.head + (columns > 0 ? columns * sizes.column + sizes.foot : 0);

let elk: InstanceType<typeof ElkApi> | null = null;

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.spacing.nodeNode': '22',
  'elk.layered.spacing.nodeNodeBetweenLayers': '60',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
};
/** From here on the order of the names would cost more than it is worth: of 500 relations beside one, 40 seconds. */
const many = 150;
const careful = {
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
};
const hasty = { 'elk.layered.thoroughness': '1' };

/** Places everything so that left feeds right, in a worker: the page stays usable meanwhile. */
export async function layOut({ relations, groups, lines }: Picture, withColumns: boolean): Promise<Places> {
  elk ??= new ElkApi({ workerFactory: () => new Worker(workerUrl) });
  const children: ElkNode[] = [
    ...relations.map(({ id, columns }) => ({
      id,
      width: sizes.width,
      height: heightOf(withColumns ? columns.length : 0),
    })),
    ...groups.map(({ id }) => ({ id, width: sizes.width, height: sizes.head })),
  ];
  const edges = lines.map(({ id, source, target }) => ({ id, sources: [source], targets: [target] }));
  const layoutOptions = { ...options, ...(children.length > many ? hasty : careful) };
  const placed = await elk.layout({ id: 'picture', layoutOptions, children, edges });
  return new Map(
    (placed.children ?? []).map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [id, { x, y, width, height }]),
  );
}
