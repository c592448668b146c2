import type { ColumnMapping, Derivation } from '../lineage/derivation.ts';
import { nodeOf, type Urn } from '../lineage/node.ts';
import type { Named } from './event.ts';
import { isTooWide } from './product.ts';
import { type Source, wholeInput } from './source.ts';

/** All that is told of one run, job or dataset, each name in its canonical form. */
export type Told = {
  readonly producer: Named;
  readonly inputs: ReadonlySet<Urn>;
  readonly outputs: ReadonlySet<Urn>;
  /** The targets of the job's `lineage` facet; null where it has none. */
  readonly targets: ReadonlyMap<Urn, readonly Source[]> | null;
  readonly lineage: ReadonlyMap<Urn, readonly Source[]>;
  readonly columnLineage: ReadonlyMap<Urn, readonly Source[]>;
  readonly dropped: ReadonlySet<Urn>;
  /** What a renamed output was before. */
  readonly previous: ReadonlyMap<Urn, Urn>;
  readonly statementKind: Derivation['statementKind'];
  readonly principal: string | null;
};

/**
 * What feeds each output. A job's `lineage` facet is the whole truth of the job, an output's own that of the output;
 * then comes `columnLineage`, and what no facet tells is inputs × outputs (OpenLineage's precedence of explicit lineage).
 */
export function derivationsOf(told: Told, location: string): Derivation[] {
  const outputs = new Set([...(told.targets?.keys() ?? []), ...told.outputs]);
  return [...outputs].sort().flatMap((output) => {
    if (told.dropped.has(output)) return [];
    // A rename moves a dataset, it does not feed it.
    const before = told.previous.get(output);
    const sources = sourcesOf(told, output, outputs.size).filter(({ input }) => input !== before);
    return sources.length === 0 ? [] : derivationsOfOutput(told, output, sources, location);
  });
}

function sourcesOf(told: Told, output: Urn, outputs: number): readonly Source[] {
  const explicit = told.targets?.get(output) ?? told.lineage.get(output);
  if (explicit || told.targets) return explicit ?? [];
  const columns = told.columnLineage.get(output) ?? [];
  // Among several outputs the map tells which inputs are this one's; a single one is fed by every input.
  if (columns.length > 0 && outputs > 1) return columns;
  // Events that are narrow each may be too wide together.
  if (isTooWide(told.inputs.size, outputs)) return columns;
  return [...columns, ...[...told.inputs].map(wholeInput)];
}

/** Why a column's source is only a table: the facet names the input without a column. */
const sourceColumnNotGiven = 'source_column_not_given';

/** Each input whose columns are told in part stands apart: the doubt is about the edge from it alone. */
function derivationsOfOutput(told: Told, output: Urn, sources: readonly Source[], location: string): Derivation[] {
  const partly = new Set(sources.filter(isPartial).map(({ input }) => input));
  const groups = Map.groupBy(sources, ({ input }) => (partly.has(input) ? input : null));
  const common = {
    output: nodeOf(output),
    producer: told.producer,
    statementKind: told.statementKind,
    principal: told.principal,
    location,
  };
  return [null, ...[...partly].sort()].flatMap((group) => {
    const own = groups.get(group) ?? [];
    const unresolved = distinctJson(
      own.filter(isPartial).map(({ outputColumn, reason = sourceColumnNotGiven }) => ({ outputColumn, reason })),
    );
    const inputs = [...new Set(own.map(({ input }) => input))].sort().map(nodeOf);
    return inputs.length === 0 ? [] : [{ ...common, inputs, columns: mappingsOf(own), unresolved }];
  });
}

const isPartial = ({ inputColumn, outputColumn, reason }: Source) =>
  inputColumn === null && (outputColumn !== null || reason !== undefined);

function mappingsOf(sources: readonly Source[]): ColumnMapping[] {
  const mappings = sources.flatMap(({ input, inputColumn, reason: _, ...way }) =>
    inputColumn === null ? [] : [{ input: nodeOf(input), inputColumn, ...way }],
  );
  return distinctJson(mappings);
}

/** Sorted, so that the order in which events tell it leaves no trace. */
function distinctJson<T>(items: readonly T[]): T[] {
  const found = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}
