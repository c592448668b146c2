import * as v from 'valibot';
import type { Named } from './event.ts';
import type { InputMapping, UrnOf } from './input-mapping.ts';
import { OpenEntry, openColumnsOf } from './open-columns.ts';

/**
 * A custom dataset facet: which columns of an output are not known, by the input that may reach them. The standard
 * facets cannot say it, and without it a reader would take what is mapped for all there is.
 */
export const unresolvedKey = 'tributary_unresolved';

export type UnresolvedEntry = Named & {
  /** The output column; absent: the whole output. */
  readonly field?: string;
  readonly reason: string;
  /** Only columns that decide which rows there are are not known. */
  readonly type?: 'INDIRECT';
  /** What a list of columns would settle of it. */
  readonly open?: OpenEntry;
};

export const unresolvedFacet = (entries: readonly UnresolvedEntry[], producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:UnresolvedColumnsDatasetFacet:1-1-0',
  inputs: entries,
});

const Facet = v.object({
  inputs: v.array(
    v.object({
      namespace: v.string(),
      name: v.string(),
      field: v.exactOptional(v.string()),
      reason: v.pipe(v.string(), v.maxLength(500)),
      type: v.exactOptional(v.literal('INDIRECT')),
      open: v.exactOptional(OpenEntry),
    }),
  ),
});

/** What the facet leaves open, as sources without a column; nothing where the facet is another's. */
export function unresolvedSources(facet: unknown, urnOf: UrnOf): InputMapping[] {
  const read = v.safeParse(Facet, facet);
  if (!read.success) return [];
  return read.output.inputs.map(({ field = null, reason, type, open, ...input }) => ({
    input: urnOf(input),
    inputColumn: null,
    outputColumn: field,
    type: type ?? 'DIRECT',
    subtype: null,
    masking: false,
    reason,
    ...(open && { open: openColumnsOf(open, urnOf) }),
  }));
}
