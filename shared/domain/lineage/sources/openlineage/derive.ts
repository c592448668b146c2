import { sortedBy } from '../../../base/collections.ts';
import type { ColumnMapping, Derivation } from '../../graph/derivation.ts';
import { nodeOf, type Urn, urnOf } from '../../graph/node.ts';
import type { Named } from './event.ts';
import { type InputMapping, isLeftOut, wholeInput } from './input-mapping.ts';
import { exceedsMaxPairs } from './validate.ts';

/** All that the events of one run, job or dataset state, each name in its canonical form. */
export type MergedLineage = {
  readonly producer: Named;
  readonly inputs: ReadonlySet<Urn>;
  readonly outputs: ReadonlySet<Urn>;
  /** The inputs that are only tested. */
  readonly tested: ReadonlySet<Urn>;
  /** The targets of the job's `lineage` facet; null if it has none. */
  readonly targets: ReadonlyMap<Urn, readonly InputMapping[]> | null;
  readonly lineage: ReadonlyMap<Urn, readonly InputMapping[]>;
  readonly columnLineage: ReadonlyMap<Urn, readonly InputMapping[]>;
  readonly dropped: ReadonlySet<Urn>;
  /** What a renamed output was before. */
  readonly previous: ReadonlyMap<Urn, Urn>;
  readonly statement: Derivation['statement'] | null;
  readonly isWhole: boolean;
  readonly statementKind: Derivation['statementKind'];
  readonly principal: string | null;
  readonly engine: string | null;
};

/** A job's `lineage` facet wins, then an output's, then `columnLineage`, else inputs × outputs, as OpenLineage says. */
export function derivationsOf(merged: MergedLineage, location: string): Derivation[] {
  const outputs = new Set([...(merged.targets?.keys() ?? []), ...merged.outputs]);
  const exposures = [...merged.lineage.keys()].filter((output) => nodeOf(output).kind === 'exposure');
  return [...outputs, ...exposures].sort().flatMap((output) => {
    if (merged.dropped.has(output)) return [];
    // A rename moves a dataset, it does not feed it.
    const before = merged.previous.get(output);
    const sources = sourcesOf(merged, output, outputs.size).filter(({ input }) => input !== before);
    return sources.length === 0 ? [] : derivationsOfOutput(merged, output, sources, location);
  });
}

/** What a job reads that feeds none of its outputs: what it is read for is not known (C-OPENLINEAGE-27). */
export function readsOf({ inputs, tested, previous }: MergedLineage, derivations: readonly Derivation[]): Urn[] {
  const known = new Set([...tested, ...previous.values(), ...derivations.flatMap((one) => one.inputs.map(urnOf))]);
  return [...inputs].filter((input) => !known.has(input));
}

function sourcesOf(merged: MergedLineage, output: Urn, outputs: number): readonly InputMapping[] {
  const explicit = merged.targets?.get(output) ?? merged.lineage.get(output);
  if (explicit || merged.targets) return explicit ?? [];
  const stated = (merged.columnLineage.get(output) ?? []).flatMap((one) => withinInputs(merged, output, one));
  const columns = withLeftOut(stated);
  // Among several outputs the map tells which inputs are this one's; a single one is fed by every input.
  if (columns.length > 0 && outputs > 1) return columns;
  // Events that are narrow each may be too wide together.
  if (exceedsMaxPairs(merged.inputs.size, outputs)) return columns;
  return [...columns, ...[...merged.inputs].map(wholeInput)];
}

/** The code of a mapping from a relation that is no input of the job: a CTE's name, or an input that the event left out. */
export const outsideInputs = 'column_source_outside_inputs';

/** A mapping from a CTE's name proves nothing: any input may be behind it. A relation's name is an input (C-IMPACT-9). */
function withinInputs({ inputs }: MergedLineage, output: Urn, mapping: InputMapping): InputMapping[] {
  if (isLeftOut(mapping) || inputs.size === 0 || inputs.has(mapping.input) || mapping.input === output)
    return [mapping];
  const { outputColumn, isNamed } = mapping;
  const open = { outputColumn, reason: outsideInputs };
  if (isNamed) return [mapping, { ...wholeInput(mapping.input), ...open }];
  return [...inputs].map((input) => ({ ...wholeInput(input), ...open }));
}

/** Every input that the facet maps may feed what it leaves out. An input that it does not map is open as a whole. */
function withLeftOut(columns: readonly InputMapping[]): readonly InputMapping[] {
  const [open, mapped] = [columns.filter(isLeftOut), columns.filter((one) => !isLeftOut(one))];
  const inputs = new Set(mapped.map(({ input }) => input));
  return [...mapped, ...open.flatMap((one) => [...inputs].map((input) => ({ ...one, input })))];
}

/** Why a column's source is only a table: the facet names the input without a column. */
const sourceColumnNotGiven = 'source_column_not_given';

/** An input whose columns are stated in part has its own derivation: the doubt is about the edge only from it. */
function derivationsOfOutput(
  merged: MergedLineage,
  output: Urn,
  sources: readonly InputMapping[],
  location: string,
): Derivation[] {
  const partly = new Set(sources.filter(isPartial).map(({ input }) => input));
  const groups = Map.groupBy(sources, ({ input }) => (partly.has(input) ? input : null));
  const common = {
    output: nodeOf(output),
    producer: merged.producer,
    ...(merged.statement && { statement: merged.statement }),
    ...(merged.isWhole && { isWhole: true as const }),
    statementKind: merged.statementKind,
    principal: merged.principal,
    ...(merged.engine !== null && { engine: merged.engine }),
    ...(sources[0]?.exposure && { exposure: sources[0].exposure }),
    location,
  };
  return [null, ...[...partly].sort()].flatMap((group) => {
    const own = groups.get(group) ?? [];
    const unresolved = distinctJson(
      own.filter(isPartial).map(({ outputColumn, reason = sourceColumnNotGiven, type, open }) => ({
        outputColumn,
        reason,
        ...(type === 'INDIRECT' && { type }),
        ...(open && { open }),
      })),
    );
    const inputs = [...new Set(own.map(({ input }) => input))].sort().map(nodeOf);
    return inputs.length === 0 ? [] : [{ ...common, inputs, columns: mappingsOf(own), unresolved }];
  });
}

const isPartial = ({ inputColumn, outputColumn, reason }: InputMapping) =>
  inputColumn === null && (outputColumn !== null || reason !== undefined);

function mappingsOf(sources: readonly InputMapping[]): ColumnMapping[] {
  const mappings = sources.flatMap(({ input, inputColumn, reason: _, open: __, isNamed: ___, ...kind }) =>
    inputColumn === null ? [] : [{ input, inputColumn, ...kind }],
  );
  return distinctJson(mappings).map((mapping) => ({ ...mapping, input: nodeOf(mapping.input) }));
}

/** Sorted, so that the result does not depend on the order of events. */
function distinctJson<T>(items: readonly T[]): T[] {
  const found = new Map(items.map((item) => [JSON.stringify(item), item]));
  return sortedBy(found, ([text]) => text).map(([, item]) => item);
}
