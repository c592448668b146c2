import { randomFrom } from '../fuzz/mutate.ts';

/** A seeded sample of a list; the whole list if it is not longer. */
export function sampled<T>(from: readonly T[], count: number, seed: number): readonly T[] {
  const random = randomFrom(seed);
  const left = [...from];
  return Array.from({ length: Math.min(count, from.length) }, () => left.splice(random(left.length), 1)).flat();
}
