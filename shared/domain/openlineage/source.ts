import type { TransformationType } from '../lineage/derivation.ts';
import type { Urn } from '../lineage/node.ts';
import type { Named, Transformation } from './event.ts';

/** One way in which an input feeds an output, as a facet tells it. */
export type Source = {
  readonly input: Urn;
  /** Null: the facet names the input alone. */
  readonly inputColumn: string | null;
  /** Null: the whole output. */
  readonly outputColumn: string | null;
  readonly type: TransformationType;
  readonly subtype: string | null;
  readonly masking: boolean;
};

/** The node that a dataset's name stands for. */
export type UrnOf = (dataset: Named) => Urn;

/** An input as a whole feeds an output as a whole. */
export const wholeInput = (input: Urn): Source => ({ ...whole, input });
const whole = { inputColumn: null, outputColumn: null, type: 'DIRECT', subtype: null, masking: false } as const;

type Way = Pick<Source, 'type' | 'subtype' | 'masking'>;

/** What the transformations of a source say; where they say nothing, a column's value is used, a dataset-wide one is not. */
export function waysOf(transformations: readonly Transformation[] | undefined, outputColumn: string | null): Way[] {
  const otherwise = outputColumn === null ? 'INDIRECT' : 'DIRECT';
  if (!transformations || transformations.length === 0) return [{ type: otherwise, subtype: null, masking: false }];
  return transformations.map(({ type, subtype, masking }) => ({
    type: typeOf(type) ?? otherwise,
    subtype: subtype || null,
    masking: masking ?? false,
  }));
}

/** The schema leaves the type a free text, and producers differ in its case. */
function typeOf(text: string): TransformationType | null {
  const type = text.toUpperCase();
  return type === 'DIRECT' || type === 'INDIRECT' ? type : null;
}
