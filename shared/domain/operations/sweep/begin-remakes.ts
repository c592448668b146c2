import { inParallel } from '../../base/concurrency.ts';
import { beginRewrite, type GraphRecords, graphLayout } from '../../lineage/generations/graph-record.ts';
import type { NameSources } from './list-names.ts';

const task = 'layout';
const inFlight = 8;

/** Once after an upgrade that cannot read earlier graphs: has each made again from its deliveries; answers how many. */
export async function beginRemakes(
  { places, workspaces, graphs }: Pick<NameSources, 'places' | 'workspaces'> & { readonly graphs: GraphRecords },
  now: Date,
): Promise<number> {
  if ((await places.read(task)) === graphLayout) return 0;
  const outcomes = await inParallel(inFlight, await workspaces(), async ({ id }) => {
    const found = await graphs.find(id);
    if (!found?.record.incomplete || found.record.rewrite) return 'left';
    return (await graphs.advance(found, beginRewrite(found.record, now))) ? 'begun' : 'refused';
  });
  if (!outcomes.includes('refused')) await places.write(task, graphLayout);
  return outcomes.filter((one) => one === 'begun').length;
}
