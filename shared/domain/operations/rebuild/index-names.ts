import type { WorkspaceId } from '../../../contract/ids.ts';
import { inParallel } from '../../concurrency/in-parallel.ts';
import { type NodeId, shardCount } from '../../graph/ids.ts';
import type { NameIndex, RelationDirectory } from '../../graph/name-ports.ts';
import { nodeOf } from '../../graph/node.ts';
import type { PageReader } from '../../graph/ports.ts';

type IndexPorts = {
  readonly pages: Pick<PageReader, 'scan'>;
  readonly directory: Pick<RelationDirectory, 'add'>;
  readonly names: Pick<NameIndex, 'addWideNode'>;
};

const nodesPerRead = 500;
const writesInFlight = 8;

/** Makes every node of a workspace findable by name, also those that were written before names were indexed. */
export async function indexNames({ pages, directory, names }: IndexPorts, workspace: WorkspaceId): Promise<number> {
  let indexed = 0;
  for (let shard = 0; shard < shardCount; shard++) {
    let after: NodeId | null = null;
    do {
      const nodes = await pages.scan(workspace, shard, after, nodesPerRead);
      await directory.add(
        workspace,
        nodes.map(({ urn }) => nodeOf(urn)),
        { anew: true },
      );
      const wide = nodes.flatMap(({ urn, levels }) => Object.values(levels).map((level) => ({ urn, level })));
      await inParallel(
        writesInFlight,
        wide.filter(({ level }) => level > 0),
        ({ urn, level }) => names.addWideNode(workspace, urn, level),
      );
      indexed += nodes.length;
      after = nodes.at(-1)?.node ?? null;
    } while (after !== null);
  }
  return indexed;
}
