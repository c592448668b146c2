import type { ColumnMapping, Derivation, Unresolved } from '../graph/derivation.ts';
import type { EdgeColumn, EdgeDetail } from '../graph/detail-store.ts';
import { nodeId } from '../graph/ids.ts';
import { type Node, type Urn, urnOf } from '../graph/node.ts';

/** One edge as one scope claims it, with all that the scope knows of it. */
export type EdgeStatement = { readonly from: Urn; readonly to: Urn; readonly detail: EdgeDetail };

export const edgeName = ({ from, to }: { readonly from: Urn; readonly to: Urn }): string => `${from}\n${to}`;

/** The columns of an input stand on the edge from it; a column map that leaves an input out says nothing of its columns. */
const inputNotMapped = 'input_not_in_column_lineage';

type Context = {
  readonly deliveryId: string | null;
  readonly observedAt: string;
  /** Whether an input without a mapping may still matter: true of run-time facets, false of SQL that was read whole. */
  readonly unmappedIsUnknown: boolean;
};

/** The edges that derivations state; what several say of one edge is joined, in their order. */
export function edgesOf(derivations: readonly Derivation[], context: Context): EdgeStatement[] {
  const found = new Map<string, EdgeStatement>();
  for (const derivation of derivations) {
    const to = urnOf(derivation.output);
    const mapped = Map.groupBy(derivation.columns, ({ input }) => urnOf(input));
    for (const input of derivation.inputs) {
      const from = urnOf(input);
      const claim = { from, to, detail: detailOf(derivation, mapped.get(from) ?? [], context) };
      const known = found.get(edgeName(claim));
      found.set(edgeName(claim), known ? joined(known, claim) : claim);
    }
  }
  return [...found.values()];
}

function detailOf(derivation: Derivation, mapped: readonly ColumnMapping[], context: Context): EdgeDetail {
  const columns = mapped.map(({ input: _, ...mapping }): EdgeColumn => mapping);
  const isOfRows = ({ type }: Unresolved) => type === 'INDIRECT';
  const silent =
    columns.length === 0 && derivation.unresolved.every(isOfRows) && context.unmappedIsUnknown && !derivation.isWhole;
  const reason = derivation.columns.length > 0 ? inputNotMapped : 'columns_not_reported';
  return {
    producer: derivation.producer,
    deliveryId: context.deliveryId,
    location: derivation.location,
    observedAt: context.observedAt,
    ...(derivation.statement && { statement: derivation.statement }),
    statementKind: derivation.statementKind,
    principal: derivation.principal,
    ...(derivation.engine !== undefined && { engine: derivation.engine }),
    columns,
    unresolved: silent ? [{ outputColumn: null, reason }] : derivation.unresolved,
  };
}

/** Two statements about one edge: mappings add up, and what one resolves the other need not. */
function joined(a: EdgeStatement, b: EdgeStatement): EdgeStatement {
  const columns = new Map([...a.detail.columns, ...b.detail.columns].map((one) => [JSON.stringify(one), one]));
  const unresolved = new Map([...a.detail.unresolved, ...b.detail.unresolved].map((one) => [JSON.stringify(one), one]));
  return { ...a, detail: { ...a.detail, columns: [...columns.values()], unresolved: [...unresolved.values()] } };
}

/** The nodes that edges touch, without inlined models, which nobody looks for by name. */
export function nodesOf(derivations: readonly Derivation[]): Node[] {
  const found = new Map<Urn, Node>();
  for (const node of derivations.flatMap(({ output, inputs }) => [output, ...inputs])) found.set(urnOf(node), node);
  return [...found.values()].filter(({ kind }) => kind !== 'inlined');
}

export const edgeIds = ({ from, to }: { readonly from: Urn; readonly to: Urn }) => ({
  from: nodeId(from),
  to: nodeId(to),
});
