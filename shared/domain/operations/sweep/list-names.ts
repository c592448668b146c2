import type { WorkspaceId } from '../../../contract/ids.ts';
import { chunksOf } from '../../base/collections.ts';
import { type Names, openedGraph } from '../../lineage/generations/graph-record.ts';
import { mostListed, type NameLists, type StoredNames } from '../../lineage/graph/name-list.ts';
import { type GraphId, nodeOf, shardCount, type Urn } from '../../lineage/graph/node.ts';
import type { PageReader } from '../../lineage/graph/page-reader.ts';
import type { SweepCheckpoints } from './archive-payloads.ts';

export type NameSources = {
  readonly workspaces: () => Promise<readonly { readonly id: WorkspaceId }[]>;
  readonly namesOf: (workspace: WorkspaceId) => Promise<Pick<Names, 'generation' | 'forgotten'>>;
  /** ISO time of the newest delivery that was accepted, or a moment after it; null if none was. */
  readonly touched: (workspace: WorkspaceId) => Promise<string | null>;
  readonly pages: Pick<PageReader, 'scanNames'>;
  /** The columns that searches find, some at a time; they repeat. */
  readonly indexedColumns: (graph: GraphId) => AsyncIterable<readonly string[]>;
  readonly nameLists: Pick<NameLists, 'put'>;
  readonly places: SweepCheckpoints;
};

const task = 'names';
const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

/** A pass over all workspaces. */
type Pass = {
  readonly began: number;
  /** Lists of workspaces that were not touched since are left as they are. */
  readonly since: number;
  /** The last workspace that is done; null if all are. */
  readonly place: string | null;
};

type Run = { readonly now: Date; readonly hourly?: boolean; readonly timeIsUp: () => boolean };

/** Once an hour lists the names of each workspace that was touched; answers how many lists it made. */
export async function listNamesHourly(ports: NameSources, { now, hourly = false, timeIsUp }: Run): Promise<number> {
  const last = (await ports.places.read(task)) as Pass | null;
  const isEnded = last === null || last.place === null;
  if (isEnded && last !== null && !hourly && now.getTime() - last.began < hourMs) return 0;
  let pass = isEnded ? nextPass(last, now.getTime()) : last;
  let made = 0;
  const ids = (await ports.workspaces()).map(({ id }) => id).sort();
  for (const id of ids.filter((one) => one > (pass.place ?? ''))) {
    const touched = await ports.touched(id);
    if (touched === null || Date.parse(touched) < pass.since) continue;
    if (timeIsUp()) return made;
    await ports.nameLists.put(id, await namesIn(ports, id));
    pass = { ...pass, place: id };
    await ports.places.write(task, pass);
    made++;
  }
  await ports.places.write(task, { ...pass, place: null } satisfies Pass);
  return made;
}

/** The first pass of a week lists all: objects that are not written again expire. */
function nextPass(last: Pass | null, began: number): Pass {
  const isFirstOfWeek = last === null || Math.floor(last.began / weekMs) < Math.floor(began / weekMs);
  // A delivery is projected some time after it was accepted.
  return { began, since: isFirstOfWeek ? 0 : last.began - hourMs, place: '' };
}

async function namesIn(ports: NameSources, workspace: WorkspaceId): Promise<StoredNames> {
  const { graph } = openedGraph(workspace, await ports.namesOf(workspace));
  const [urns, columns] = [await relationsIn(ports, graph), await columnsIn(ports, graph)];
  return {
    urns: urns.slice(0, mostListed.names),
    columns: columns.slice(0, mostListed.columns).sort(),
    isCut: urns.length > mostListed.names || columns.length > mostListed.columns,
  };
}

const shardsInFlight = 16;

/** All, or more than a list holds: the rest is not read. */
async function relationsIn({ pages }: NameSources, graph: GraphId): Promise<Urn[]> {
  const urns: Urn[] = [];
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  for (const some of chunksOf(shards, shardsInFlight)) {
    const named = await Promise.all(some.map((shard) => pages.scanNames(graph, shard)));
    for (const { urn } of named.flat()) if (nodeOf(urn).kind !== 'inlined') urns.push(urn);
    if (urns.length > mostListed.names) break;
  }
  return urns;
}

async function columnsIn({ indexedColumns }: NameSources, graph: GraphId): Promise<string[]> {
  const columns = new Set<string>();
  for await (const some of indexedColumns(graph)) {
    for (const column of some) columns.add(column);
    if (columns.size > mostListed.columns) break;
  }
  return [...columns];
}
