import { beginningOf } from '../../../../contract/fields.ts';
import type { ExposureFacts } from '../../../../contract/impact.ts';
import type { ColumnMapping, OpenColumns, TransformationType } from '../../graph/derivation.ts';
import type { Urn } from '../../graph/node.ts';
import type { Named, Transformation } from './event.ts';

export type InputMapping = Pick<ColumnMapping, 'outputColumn' | 'type' | 'subtype' | 'masking' | 'expression'> & {
  readonly input: Urn;
  /** Null if the facet names only the input. */
  readonly inputColumn: string | null;
  /** Why a source without a column has none, if the facet says so. */
  readonly reason?: string;
  /** The facet names a relation that is not among the datasets of its event, and no CTE. */
  readonly isNamed?: true;
  /** What a list of columns would settle of that. */
  readonly open?: OpenColumns;
  /** Of an output that is an exposure. */
  readonly exposure?: ExposureFacts;
};

export type UrnOf = (dataset: Named) => Urn;

export const wholeInput = (input: Urn): InputMapping => ({ ...whole, input });
const whole = { inputColumn: null, outputColumn: null, type: 'DIRECT', subtype: null, masking: false } as const;

const leftOut = 'output_column_not_in_column_lineage';

/** What a facet leaves open of its output: of every input that it maps, so that it is attributed when these are known. */
export const leftOutOf = (output: Urn, column: string | null, open?: OpenColumns): InputMapping => ({
  ...wholeInput(output),
  outputColumn: column,
  reason: leftOut,
  ...(open && { open }),
});

export const isLeftOut = ({ reason }: InputMapping): boolean => reason === leftOut;

type TransformationKind = Pick<InputMapping, 'type' | 'subtype' | 'masking' | 'expression'>;

/** What is kept of a description. */
const longestExpression = 500;

/** Without transformations the value is used. A source of the whole output is indirect, whatever Spark calls it. */
export function transformationKindsOf(
  transformations: readonly Transformation[] | undefined,
  outputColumn: string | null,
): TransformationKind[] {
  const stated = transformations && transformations.length > 0 ? transformations : [{ type: 'DIRECT' }];
  return stated.map(({ type: text, subtype, description = '', masking = false }) => {
    const type = typeOf(text);
    const isWhole = outputColumn === null && type === 'DIRECT';
    const kind = { type: isWhole ? 'INDIRECT' : type, subtype: (!isWhole && subtype) || null, masking } as const;
    const expression = outputColumn === null ? '' : beginningOf(description, longestExpression);
    return expression === '' ? kind : { ...kind, expression };
  });
}

/** The schema leaves the type a free text, and producers differ in its case. */
const typeOf = (text: string): TransformationType => (text.toUpperCase() === 'INDIRECT' ? 'INDIRECT' : 'DIRECT');
