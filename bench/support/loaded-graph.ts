import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { randomFloats } from './random-floats.ts';
import {
  columnsOf,
  hubRef,
  isScheduler,
  realisticSources,
  refOf,
  type Source,
  sourceSizes,
} from './realistic-graph.ts';

const LoadedGraph = v.object({
  /** The size that the graph was planned with; fewer are loaded if time or memory ended. */
  planned: v.number(),
  relations: v.number(),
  sources: v.number(),
  edges: v.number(),
  seed: v.number(),
  columns: v.number(),
});
export type LoadedGraph = v.InferOutput<typeof LoadedGraph>;

const fileOf = (folder: string): string => path.join(folder, 'loaded-graph.json');

/** Leaves beside a service's data what was loaded into it, so that another process can ask for relations that exist. */
export const writeLoaded = (folder: string, loaded: LoadedGraph): void =>
  writeFileSync(fileOf(folder), JSON.stringify(loaded));

export const readLoaded = (folder: string): LoadedGraph =>
  v.parse(LoadedGraph, JSON.parse(readFileSync(fileOf(folder), 'utf8')));

type Edge = { readonly upstream: string; readonly downstream: string };

/** How many sources are generated again for edges that exist. */
const sourcesWithEdges = 12;

/** Relations, columns and edges of a loaded graph: each call gives the next one of a seed's sequence. */
export function chosenFrom({ planned, sources, seed, columns }: LoadedGraph, edges: readonly Edge[], turn: number) {
  const random = randomFloats(seed * 31 + turn);
  const sizes = sourceSizes(planned).slice(0, sources);
  const among = (count: number) => Math.floor(random() * count);
  /** One in this many is among the relations of its layer that most read. */
  const popular = 5;
  const relation = (layer = among(4)): string => {
    const project = among(sizes.length);
    // Nobody states the raw relations of a scheduler that none of its jobs reads.
    if (layer === 0 && isScheduler(project)) return relation();
    const count = Math.max(1, Math.floor((sizes[project] ?? 0) / 4));
    return refOf(project, layer, among(popular) === 0 ? among(Math.min(20, count)) : among(count));
  };
  return {
    among,
    relation,
    hub: hubRef,
    column: (ref: string): string => columnsOf(ref, columns)[among(columns)] ?? '',
    edge: (): Edge => edges[among(edges.length)] ?? { upstream: '', downstream: '' },
  };
}

/** Some edges of projects and schedulers. */
export function edgesOf({ planned, seed, columns, sources }: LoadedGraph): Edge[] {
  const edges: Edge[] = [];
  let at = 0;
  for (const source of realisticSources(planned, seed, columns)) {
    if (at++ >= Math.min(sources, sourcesWithEdges)) break;
    edges.push(...someEdges(source));
  }
  return edges;
}

const someEdges = ({ models }: Source): Edge[] =>
  models
    .filter((_, i) => i % Math.ceil(models.length / 200) === 0)
    .flatMap(({ output, inputs }) => inputs.map((upstream) => ({ upstream, downstream: output })));
