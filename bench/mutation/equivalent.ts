import type { Mutant } from './mutants.ts';

type Equivalent = Pick<Mutant, 'file' | 'source' | 'kind'> & { readonly reason: string };

/** Mutants that no test can notice, because they change nothing that a user or a store sees. */
export const equivalent: readonly Equivalent[] = [
  {
    file: 'shared/domain/base/concurrency.ts',
    source: 'for (const result of underWay) yield await result;',
    kind: 'dropped await',
    reason: 'An async generator awaits what it yields.',
  },
  {
    file: 'shared/domain/workspaces/requests/request-client.ts',
    source: 'for (let earlier = 0; ; earlier++) {',
    kind: 'other number',
    reason: 'The number only tells ids of records apart, and they are digests.',
  },
];
