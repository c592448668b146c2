import { Problem } from '../../../shared/contract/problems.ts';
import { mutated, randomFrom } from './mutate.ts';
import type { Reader } from './readers.ts';

type FuzzCounts = {
  /** Bodies by outcome: refused with a problem, or read. */
  read: number;
  refused: number;
  /** What was thrown that is no problem, with the body. */
  readonly thrown: { readonly reader: string; readonly error: unknown; readonly text: string }[];
};

/** Gives every reader its share of this many mutated bodies; the same seed gives the same bodies. */
export async function fuzz(readers: readonly Reader[], bodies: number, seed: number): Promise<FuzzCounts> {
  const random = randomFrom(seed);
  const counts: FuzzCounts = { read: 0, refused: 0, thrown: [] };
  for (let i = 0; i < bodies; i++) {
    const reader = readers[i % readers.length] as Reader;
    const text = mutated(random, reader.seeds[random(reader.seeds.length)] ?? '');
    try {
      await reader.read(text);
      counts.read++;
    } catch (error) {
      if (error instanceof Problem) counts.refused++;
      else counts.thrown.push({ reader: reader.name, error, text });
    }
  }
  return counts;
}
