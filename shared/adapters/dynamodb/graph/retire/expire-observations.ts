import type { ObservedClaim, Page, PageSide } from '../../../../domain/lineage/graph/claim.ts';
import { historyPageKey, pageKey } from '../../keys/graph-keys.ts';
import type { GraphWriter } from '../claims/levels.ts';
import { changeRegisters, removalOf } from '../claims/registers.ts';
import { attribute } from '../codec.ts';
import { deleteIfEmpty } from './forget.ts';

export async function expireObservations(
  writer: GraphWriter,
  { side, node, number }: Pick<Page, 'node' | 'number'> & { readonly side: PageSide },
  observations: readonly ObservedClaim[],
): Promise<readonly ObservedClaim[]> {
  const current = pageKey(writer.graph, side, node, number);
  const changes = observations.map((observation) => ({
    observation,
    ...removalOf(side, observation),
    // A scope's name is removed with any of its observations: its next one brings it back, and its head has it too.
    ...(side !== 'out' && { obsolete: attribute.observer(observation.scope) }),
  }));
  const moved = await changeRegisters(writer.table, current, changes);
  await deleteIfEmpty(writer.table, { current, history: historyPageKey(writer.graph, side, node, number) });
  const remaining = new Set(moved.map(({ observation }) => observation));
  return observations.filter((observation) => !remaining.has(observation));
}
