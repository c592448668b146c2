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
  {
    file: 'local/run.ts',
    source: 'sqs.destroy();',
    kind: 'skipped statement',
    reason: 'The connections of a client that is not used again end by themselves.',
  },
  {
    file: 'shared/adapters/dynamodb/requests/answer-reader.ts',
    source: "while (end >= 0 && isEscaped(this.#text, end)) end = this.#text.indexOf('\"', end + 1);",
    kind: 'other operator',
    reason: 'A quote that closes a text is never the first character.',
  },
  {
    file: 'shared/domain/lineage/traversal/columns-view.ts',
    source: 'if (missing.length > 0) for (const [id, content] of await get(missing)) contents.set(id, content);',
    kind: 'other operator',
    reason: 'Reading no keys sends no request.',
  },
  {
    file: 'cli/offline/analysis-ahead.ts',
    source: 'resourceLimits: { stackSizeMb: 0.8, maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },',
    kind: 'other number',
    reason: 'The limits of memory leave room, and no answer depends on them.',
  },
  {
    file: 'shared/adapters/dynamodb/deliveries/providers.ts',
    source: 'const providers = lruCache<string, Known>(10_000);',
    kind: 'other number',
    reason: 'A process that remembers one provider more gives the same answers.',
  },
  {
    file: 'shared/adapters/codehost/github-pull-requests.ts',
    source: 'const annotated = run?.output.annotations_count ?? 0;',
    kind: 'other number',
    reason: 'Without a run there is none to continue, so the number is not used.',
  },
  {
    file: 'shared/domain/lineage/sql/form-rewrites.ts',
    source: 'let open = at - 1;',
    kind: 'other number',
    reason: 'An index has a token between its brackets at least.',
  },
  {
    file: 'shared/client/api.ts',
    source: "Number(response.headers.get('retry-after') ?? 0) * 1_000 || 250 * 2 ** attempt;",
    kind: 'dropped default',
    reason: 'The number of null is 0.',
  },
];
