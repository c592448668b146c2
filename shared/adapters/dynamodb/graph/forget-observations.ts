import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Side } from '../../../domain/graph/claim.ts';
import type { ClaimWriter } from '../../../domain/graph/ports.ts';
import { coldPageKey, type Key, pageKey } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem, written } from '../update-item.ts';
import { forgetIfBare } from './forget.ts';
import { attribute } from './page-codec.ts';

type Writer = { readonly table: Table; readonly meter?: Meter | undefined };
type Observation = Parameters<ClaimWriter['forgetObservations']>[2][number];

/** An expression holds 4 KB and 300 operators. */
const observationsAWrite = 20;

/** Removes observations from a page where nobody has seen the edge again since it was read; answers which. */
export async function forgetObservationsOf(
  writer: Writer,
  workspace: WorkspaceId,
  { side, node, number }: Parameters<ClaimWriter['forgetObservations']>[1],
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  const page = { hot: pageKey(workspace, side, node, number), cold: coldPageKey(workspace, side, node, number) };
  const gone: Observation[] = [];
  for (let i = 0; i < observations.length; i += observationsAWrite)
    gone.push(...(await removeUnmoved(writer, page.hot, side, observations.slice(i, i + observationsAWrite))));
  await forgetIfBare(writer, page);
  return gone;
}

async function removeUnmoved(
  writer: Writer,
  key: Key,
  side: Side,
  observations: readonly Observation[],
): Promise<readonly Observation[]> {
  // A scope's name goes with any of its observations: its next one brings it back, and its head has it too.
  const observers = [...new Set(observations.map(({ scope }) => attribute.observer(scope)))];
  const names = [
    ...observations.flatMap(({ other, scope }, i): [string, string][] => [
      [`#l${i}`, attribute.last(side, other, scope)],
      [`#f${i}`, attribute.first(side, other, scope)],
    ]),
    ...(side === 'in' ? observers.map((name, i): [string, string] => [`#k${i}`, name]) : []),
  ];
  const { refused } = await updateItem(writer, key, {
    UpdateExpression: `SET w = :w REMOVE ${names.map(([name]) => name).join(', ')}`,
    ConditionExpression: observations.map((_, i) => `#l${i} = :l${i}`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names),
    ExpressionAttributeValues: {
      ':w': written(),
      ...Object.fromEntries(observations.map(({ last }, i) => [`:l${i}`, { N: BigInt(last).toString() }])),
    },
  });
  if (refused === null) return observations;
  if (observations.length === 1) return [];
  // Some were seen again: the others are found by halves.
  const middle = Math.ceil(observations.length / 2);
  return [
    ...(await removeUnmoved(writer, key, side, observations.slice(0, middle))),
    ...(await removeUnmoved(writer, key, side, observations.slice(middle))),
  ];
}
