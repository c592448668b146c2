import { randomFrom } from '../fuzz/mutate.ts';

/** So many of a list, which the seed chooses; all of it where there are no more. */
export function sampled<T>(from: readonly T[], count: number, seed: number): readonly T[] {
  const random = randomFrom(seed);
  const left = [...from];
  return Array.from({ length: Math.min(count, from.length) }, () => left.splice(random(left.length), 1)).flat();
}
