import { fuzz } from '../support/fuzz/fuzz.ts';
import { readers } from '../support/fuzz/readers.ts';
import type { Verification, VerifyOptions } from './verification.ts';

/** Mutated bodies over every parser: each is read or refused. */
export async function* verifyBodies({ quick, seed }: VerifyOptions): Verification {
  const { read, refused, thrown } = await fuzz(readers, quick ? 4_000 : 200_000, seed);
  const violations = thrown.map(({ reader, error, text }) => ({
    reader,
    error: String(error),
    text: text.slice(0, 500),
  }));
  yield { parsers: readers.length, read, refused, violations };
}
