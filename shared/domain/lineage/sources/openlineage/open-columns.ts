import * as v from 'valibot';
import { allKnown } from '../../../base/collections.ts';
import type { ColumnOption, OpenColumns, PlacedColumns } from '../../graph/derivation.ts';
import type { Urn } from '../../graph/node.ts';
import type { SchemaStar, Star } from '../../graph/schema.ts';
import type { Named } from './event.ts';
import { type InputMapping, transformationKindsOf, type UrnOf } from './input-mapping.ts';

/** What a list of columns would settle of an entry, relations by their OpenLineage names: as `OpenColumns`. */
const column = v.pipe(v.string(), v.maxLength(1_000));
const named = { namespace: v.string(), name: v.string() };
export const StarEntry = v.object({
  of: v.object(named),
  except: v.pipe(v.array(column), v.maxLength(10_000)),
  renamed: v.pipe(v.array(v.tuple([column, column])), v.maxLength(10_000)),
});
export type StarEntry = v.InferOutput<typeof StarEntry>;
const OptionEntry = v.object({
  ...named,
  field: column,
  type: v.picklist(['DIRECT', 'INDIRECT']),
  subtype: v.exactOptional(v.string()),
  description: v.exactOptional(v.string()),
  masking: v.boolean(),
});
type OptionEntry = v.InferOutput<typeof OptionEntry>;
const PlacedEntry = v.union([
  v.object({ star: StarEntry }),
  v.object({ field: v.nullable(column), options: v.pipe(v.array(OptionEntry), v.maxLength(100)) }),
]);
type PlacedEntry = v.InferOutput<typeof PlacedEntry>;
export const OpenEntry = v.variant('kind', [
  v.object({ kind: v.literal('star'), ...StarEntry.entries }),
  v.object({ kind: v.literal('rest'), ...StarEntry.entries }),
  v.object({ kind: v.literal('choice'), options: v.pipe(v.array(OptionEntry), v.maxLength(16)) }),
  v.object({
    kind: v.literal('places'),
    branches: v.pipe(v.array(v.pipe(v.array(PlacedEntry), v.maxLength(10_000))), v.maxLength(100)),
  }),
]);
export type OpenEntry = v.InferOutput<typeof OpenEntry>;

/** As `OpenColumns`, of stars and columns of any form. */
type OpenForms<Star, Option> =
  | { readonly kind: 'star'; readonly star: Star }
  | { readonly kind: 'rest'; readonly star: Star }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | {
      readonly kind: 'places';
      readonly branches: readonly (readonly (
        | { readonly star: Star }
        | { readonly column: string | null; readonly sources: readonly Option[] }
      )[])[];
    };

/** Null where a relation has no OpenLineage name. */
export function openEntryOf<Star, Option>(
  open: OpenForms<Star, Option>,
  starEntry: (star: Star) => StarEntry | null,
  optionEntry: (option: Option) => OptionEntry | null,
): OpenEntry | null {
  if (open.kind === 'star' || open.kind === 'rest') {
    const star = starEntry(open.star);
    return star && { kind: open.kind, ...star };
  }
  const optionsOf = (options: readonly Option[]) => allKnown(options.map(optionEntry));
  if (open.kind === 'choice') {
    const options = optionsOf(open.options);
    return options && { kind: 'choice', options };
  }
  const branches = open.branches.map((branch) =>
    allKnown(
      branch.map((item): PlacedEntry | null => {
        const star = 'star' in item ? starEntry(item.star) : null;
        if ('star' in item) return star && { star };
        const options = optionsOf(item.sources);
        return options && { field: item.column, options };
      }),
    ),
  );
  const known = allKnown(branches);
  return known && { kind: 'places', branches: known };
}

type OptionWay = Omit<ColumnOption, 'of' | 'expression'> & { readonly expression?: string | null };

/** A column of a dataset; null if the relation is none. */
export function optionEntryOf(of: Named | null, { column: field, type, subtype, masking, expression }: OptionWay) {
  const described = { ...(subtype !== null && { subtype }), ...(expression && { description: expression }) };
  return of && { namespace: of.namespace, name: of.name, field, type, ...described, masking };
}

/** `*` over a dataset; null if the relation is none. */
export const starEntryOf = (of: Named | null, { except, renamed }: Star): StarEntry | null =>
  of && {
    of: { namespace: of.namespace, name: of.name },
    except: [...except],
    renamed: renamed.map(([from, to]) => [from, to]),
  };

function openColumnsOf(entry: OpenEntry, urnOf: UrnOf): OpenColumns {
  const starOf = ({ of, except, renamed }: StarEntry) => ({ of: urnOf(of), except, renamed });
  if (entry.kind === 'star' || entry.kind === 'rest') return { kind: entry.kind, star: starOf(entry) };
  if (entry.kind === 'choice') return { kind: 'choice', options: optionsOf(entry.options, urnOf) };
  const branches = entry.branches.map((branch) =>
    branch.map((item): PlacedColumns => {
      if ('star' in item) return { star: starOf(item.star) };
      return { column: item.field, sources: optionsOf(item.options, urnOf) };
    }),
  );
  return { kind: 'places', branches };
}

const optionsOf = (options: readonly OptionEntry[], urnOf: UrnOf): ColumnOption[] =>
  options.flatMap(({ field, namespace, name, ...way }) =>
    transformationKindsOf([way], field).map(
      (kind): ColumnOption => ({ of: urnOf({ namespace, name }), column: field, ...kind }),
    ),
  );

export function openUnder(open: OpenColumns, canonical: (urn: Urn) => Urn): OpenColumns {
  const renamedStar = (star: SchemaStar) => ({ ...star, of: canonical(star.of) });
  if (open.kind === 'star' || open.kind === 'rest') return { kind: open.kind, star: renamedStar(open.star) };
  const renamed = (options: readonly ColumnOption[]) => options.map((one) => ({ ...one, of: canonical(one.of) }));
  if (open.kind === 'choice') return { kind: 'choice', options: renamed(open.options) };
  const branches = open.branches.map((branch) =>
    branch.map((item): PlacedColumns => {
      return 'star' in item ? { star: renamedStar(item.star) } : { ...item, sources: renamed(item.sources) };
    }),
  );
  return { kind: 'places', branches };
}

/** A custom facet for unknown columns by input: without it a reader would take what is mapped for all there is. */
export const unresolvedKey = 'tributary_unresolved';

const UnresolvedEntry = v.object({
  ...named,
  /** The output column; absent: the whole output. */
  field: v.exactOptional(v.string()),
  reason: v.pipe(v.string(), v.maxLength(500)),
  /** Only columns that decide which rows there are are not known. */
  type: v.exactOptional(v.literal('INDIRECT')),
  open: v.exactOptional(OpenEntry),
});
export type UnresolvedEntry = v.InferOutput<typeof UnresolvedEntry>;

export const unresolvedFacet = (entries: readonly UnresolvedEntry[], producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:UnresolvedColumnsDatasetFacet:1-1-0',
  inputs: entries,
});

const Facet = v.object({ inputs: v.array(UnresolvedEntry) });

/** What the facet leaves open, as sources without a column; nothing if the facet is another's. */
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
