import * as v from 'valibot';
import type { ColumnOption, OpenColumns, PlacedColumns } from '../../graph/derivation.ts';
import { type Node, nodeOf, type Urn } from '../../graph/node.ts';
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
export type PlacedEntry = v.InferOutput<typeof PlacedEntry>;
export const OpenEntry = v.variant('kind', [
  v.object({ kind: v.literal('star'), ...StarEntry.entries }),
  v.object({
    kind: v.literal('choice'),
    options: v.pipe(v.array(OptionEntry), v.maxLength(16)),
  }),
  v.object({
    kind: v.literal('places'),
    branches: v.pipe(v.array(v.pipe(v.array(PlacedEntry), v.maxLength(10_000))), v.maxLength(100)),
  }),
]);
export type OpenEntry = v.InferOutput<typeof OpenEntry>;

/** Null where a relation has no OpenLineage name. */
export function openEntryOf(open: OpenColumns, nameOf: (node: Node) => Named | null): OpenEntry | null {
  if (open.kind === 'star') {
    const star = starEntryOf(open.star, nameOf);
    return star && { kind: 'star', ...star };
  }
  if (open.kind === 'places') {
    const branches = open.branches.map((branch) => allKnown(branch.map((item) => placedEntryOf(item, nameOf))));
    const known = allKnown(branches);
    return known && { kind: 'places', branches: known };
  }
  const options = allKnown(open.options.map((option) => optionEntryOf(option, nameOf)));
  return options && { kind: 'choice', options };
}

function allKnown<T>(items: readonly (T | null)[]): T[] | null {
  const known: T[] = [];
  for (const item of items) {
    if (item === null) return null;
    known.push(item);
  }
  return known;
}

function placedEntryOf(item: PlacedColumns, nameOf: (node: Node) => Named | null): PlacedEntry | null {
  if ('star' in item) {
    const star = starEntryOf(item.star, nameOf);
    return star && { star };
  }
  const options = allKnown(item.sources.map((source) => optionEntryOf(source, nameOf)));
  return options && { field: item.column, options };
}

function optionEntryOf(
  { of, column: field, type, subtype, masking, expression }: ColumnOption,
  nameOf: (node: Node) => Named | null,
): OptionEntry | null {
  const name = nameOf(nodeOf(of));
  const described = { ...(subtype !== null && { subtype }), ...(expression && { description: expression }) };
  return name && { ...namedOnly(name), field, type, ...described, masking };
}

export function starEntryOf(
  { of, except, renamed }: SchemaStar,
  nameOf: (node: Node) => Named | null,
): StarEntry | null {
  const name = nameOf(nodeOf(of));
  return name && { of: namedOnly(name), ...entryOfStar({ except, renamed }) };
}

export const entryOfStar = ({ except, renamed }: Star): Omit<StarEntry, 'of'> => ({
  except: [...except],
  renamed: renamed.map(([from, to]) => [from, to]),
});

const namedOnly = ({ namespace, name }: Named) => ({ namespace, name });

function openColumnsOf(entry: OpenEntry, urnOf: UrnOf): OpenColumns {
  if (entry.kind === 'star') {
    const { of, except, renamed } = entry;
    return { kind: 'star', star: { of: urnOf(of), except, renamed } };
  }
  if (entry.kind === 'choice') return { kind: 'choice', options: optionsOf(entry.options, urnOf) };
  const branches = entry.branches.map((branch) =>
    branch.map((item): PlacedColumns => {
      if (!('star' in item)) return { column: item.field, sources: optionsOf(item.options, urnOf) };
      const { of, except, renamed } = item.star;
      return { star: { of: urnOf(of), except, renamed } };
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
  if (open.kind === 'star') return { kind: 'star', star: { ...open.star, of: canonical(open.star.of) } };
  const renamed = (options: readonly ColumnOption[]) => options.map((one) => ({ ...one, of: canonical(one.of) }));
  if (open.kind === 'choice') return { kind: 'choice', options: renamed(open.options) };
  const branches = open.branches.map((branch) =>
    branch.map((item): PlacedColumns => {
      if ('star' in item) return { star: { ...item.star, of: canonical(item.star.of) } };
      return { ...item, sources: renamed(item.sources) };
    }),
  );
  return { kind: 'places', branches };
}

/** A custom facet for unknown columns by input: without it a reader would take what is mapped for all there is. */
export const unresolvedKey = 'tributary_unresolved';

/** A mark on an output whose columns were read from the statement; it never leaves the process. */
export const derivedKey = 'tributary_derived';

export type UnresolvedEntry = Named & {
  /** The output column; absent: the whole output. */
  readonly field?: string;
  readonly reason: string;
  /** Only columns that decide which rows there are are not known. */
  readonly type?: 'INDIRECT';
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
