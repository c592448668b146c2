import type { Edge, Span } from './claim-writer.ts';
import type { Derivation } from './derivation.ts';
import type { Urn } from './node.ts';
import type { Micros } from './order.ts';
import type { Described } from './schema.ts';

/** What is known of a run, interpreted. */
export type RunLineage = {
  /** When the run's lineage was observed; null until something publishes it. */
  readonly observed: Span | null;
  readonly derivations: readonly Derivation[];
  /** What its events say of columns, and when they did. */
  readonly schemas: readonly (Described & Span)[];
  readonly aliases: readonly { readonly alias: Urn; readonly canonical: Urn }[];
  readonly renames: readonly { readonly from: Urn; readonly to: Urn; readonly at: Micros }[];
  readonly drops: readonly { readonly node: Urn; readonly at: Micros }[];
  /** Every edge that a part of what is known could have published. */
  readonly possible: () => readonly Edge[];
};
