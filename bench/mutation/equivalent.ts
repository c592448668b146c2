import type { Mutant } from './mutants.ts';

type Equivalent = Pick<Mutant, 'file' | 'source' | 'kind'> & { readonly reason: string };

/** Mutants that no test can notice, because they change nothing that a user or a store sees. */
export const equivalent: readonly Equivalent[] = [];
