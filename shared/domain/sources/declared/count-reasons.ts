import { beginningOf, storable } from '../../../contract/storable-text.ts';

/** Assets that are not resolved for one reason: how many there are, and the first of their names. */
export type UnresolvedCount = {
  readonly reason: string;
  readonly count: number;
  readonly assets: readonly string[];
  readonly assets_left_out: number;
};

/** So many names tell where to look. More would make a delivery's item large, and each list of deliveries dear. */
const namedAssets = 10;
const nameLength = 200;

/** The assets of each reason, in the order of first appearance. */
export function countReasons(
  found: readonly { readonly reason: string; readonly asset: string }[],
): readonly UnresolvedCount[] {
  const byReason = Map.groupBy(found, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) => ({
    reason,
    count: all.length,
    ...firstNames(all.map(({ asset }) => asset)),
  }));
}

/** The first of some names, as a store takes them. */
export const firstNames = (names: readonly string[]): Pick<UnresolvedCount, 'assets' | 'assets_left_out'> => ({
  assets: names.slice(0, namedAssets).map((name) => beginningOf(storable(name), nameLength)),
  assets_left_out: Math.max(0, names.length - namedAssets),
});
