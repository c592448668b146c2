import { nodeId } from '../../../../domain/graph/ids.ts';
import type { Urn } from '../../../../domain/graph/node.ts';
import { sortedBy } from '../../../../domain/sorted-by.ts';
import { batchGet } from '../../batch-get.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { attribute, claimsOn } from '../codec/codec.ts';
import type { GraphWriter } from './levels.ts';
import { changeRegisters } from './registers.ts';

/** How many of the schemas that one feed has observed of a relation stay where the item has grown large. */
const mostSchemas = 20;

/** Forgets the oldest schemas of a relation: a producer that lists its columns anew by each run must not fill the item. */
export async function trimSchemas({ table, workspace }: GraphWriter, urn: Urn, page: number): Promise<void> {
  const key = pageKey(workspace, 'schema', nodeId(urn), page);
  const [item] = await batchGet(table, [key], { consistent: true });
  if (!item) return;
  const observed = claimsOn('schema', item).flatMap((claim) => (claim.kind === 'observed' ? [claim] : []));
  const old = [...Map.groupBy(observed, ({ scope }) => scope).values()].flatMap((ofScope) =>
    sortedBy(ofScope, ({ last }) => last).slice(0, -mostSchemas),
  );
  const changes = old.map(({ other, scope, last }) => ({
    names: { first: attribute.first('schema', other, scope), last: attribute.last('schema', other, scope) },
    read: { first: null, last: { N: BigInt(last).toString() } },
    remaining: null,
  }));
  if (changes.length > 0) await changeRegisters(table, key, changes);
}
