import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../../contract/problems.ts';
import { unreadDependency } from '../../../contract/unresolved-reasons.ts';
import { once } from '../../base/caching.ts';
import { findOrAdd } from '../../base/collections.ts';
import {
  type GraphRecords,
  type NamesReader,
  openedGraph,
  type UsedName,
  type UsedNames,
} from '../generations/graph-record.ts';
import type { Edge, EdgeStatement } from '../graph/claim-writer.ts';
import type { ColumnMapping, Derivation, EdgeColumn, EdgeDetail, Unresolved } from '../graph/derivation.ts';
import { joinedDetail } from '../graph/edge-details.ts';
import { indexedColumn } from '../graph/name-parts.ts';
import { type Node, nodeId, type Urn, urnOf } from '../graph/node.ts';
import type { ParentRun } from '../graph/order.ts';
import type { Described, RelationSchema, SchemaId } from '../graph/schema.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { ProjectionContext } from './ports.ts';

export const edgeName = ({ from, to }: Edge): string => `${from}\n${to}`;

/** The columns of an input stand on the edge from it; a column map that leaves an input out says nothing of its columns. */
const inputNotMapped = 'input_not_in_column_lineage';

type Context = {
  readonly deliveryId: string | null;
  readonly observedAt: string;
  readonly parentRun?: ParentRun | undefined;
  /** Whether an input without a mapping may still matter: true of run-time facets, false of SQL that was read whole. */
  readonly unmappedIsUnknown: boolean;
};

/** The edges that derivations state, each with its columns once they are read. Statements about one edge are joined in order. */
export function edgesOf(derivations: readonly Derivation[], context: Context): EdgeStatement[] {
  const found = new Map<string, EdgeStatement>();
  for (const derivation of derivations) {
    const to = urnOf(derivation.output);
    const mapped = once(() => Map.groupBy(derivation.columns, ({ input }) => urnOf(input)));
    for (const input of derivation.inputs) {
      const from = urnOf(input);
      const claim = { from, to, detail: detailOf(derivation, from, () => mapped().get(from) ?? [], context) };
      const known = found.get(edgeName(claim));
      found.set(edgeName(claim), known ? { ...known, detail: joinedDetail(known.detail, claim.detail) } : claim);
    }
  }
  return [...found.values()];
}

function detailOf(
  derivation: Derivation,
  from: Urn,
  mapped: () => readonly ColumnMapping[],
  context: Context,
): EdgeDetail {
  const columns = once(() => mapped().map(({ input: _, ...mapping }): EdgeColumn => mapping));
  return {
    producer: derivation.producer,
    deliveryId: context.deliveryId,
    location: derivation.location,
    observedAt: context.observedAt,
    ...(context.parentRun && { parentRun: context.parentRun }),
    ...(derivation.statement && { statement: derivation.statement }),
    statementKind: derivation.statementKind,
    principal: derivation.principal,
    ...(derivation.engine !== undefined && { engine: derivation.engine }),
    ...(derivation.exposure && { exposure: derivation.exposure }),
    get columns() {
      return columns();
    },
    get unresolved() {
      return unresolvedOf(derivation, from, columns(), context);
    },
  };
}

function unresolvedOf(
  { columns, unresolved, isWhole, unread = [] }: Derivation,
  from: Urn,
  ownColumns: readonly EdgeColumn[],
  { unmappedIsUnknown }: Context,
): EdgeDetail['unresolved'] {
  if (ownColumns.length === 0 && unread.includes(from)) return [{ outputColumn: null, reason: unreadDependency }];
  const isOfRows = ({ type }: Unresolved) => type === 'INDIRECT';
  const isSilent = ownColumns.length === 0 && unresolved.every(isOfRows) && unmappedIsUnknown && !isWhole;
  return isSilent
    ? [{ outputColumn: null, reason: columns.length > 0 ? inputNotMapped : 'columns_not_reported' }]
    : unresolved;
}

/** The nodes that edges touch, without inlined models, which nobody looks for by name. */
export function nodesOf(derivations: readonly Derivation[]): Node[] {
  const found = new Map<Urn, Node>();
  for (const node of derivations.flatMap(({ output, inputs }) => [output, ...inputs])) found.set(urnOf(node), node);
  return [...found.values()].filter(({ kind }) => kind !== 'inlined');
}

export const edgeIds = ({ from, to }: Edge) => ({ from: nodeId(from), to: nodeId(to) });

export type NamesInForce = {
  readonly namesOf: NamesReader;
  readonly graphs: Pick<GraphRecords, 'find'>;
  readonly usedNames: UsedNames;
  readonly pause: (ms: number) => Promise<void>;
};

/** Names were changed between their reading and the first use of one. */
class NamesChanged extends Error {
  override readonly name = 'NamesChanged';
}

const [pauseMs, pausesAtMost] = [250, 240];

/** Keeps names as used before writing, then reads all again: a change of names finds them used, or is seen here. */
export async function byNames<T>(
  ports: NamesInForce,
  { workspace_id: workspace, provider_instance_id: provider }: Delivery,
  work: (context: ProjectionContext) => Promise<T>,
): Promise<{ readonly outcome: T; readonly generation: number }> {
  for (;;) {
    const since = performance.now();
    const names = await ports.namesOf(workspace);
    const { connectors, generation } = names;
    const recordNames = async (used: readonly UsedName[]) => {
      if (await ports.usedNames.keep({ workspace, provider, since }, used)) return;
      if (!isDeepStrictEqual(await ports.namesOf(workspace), names)) throw new NamesChanged();
    };
    try {
      const outcome = await work({ ...openedGraph(workspace, names), connectors, recordNames });
      if ((await settled(ports, workspace)) === generation) return { outcome, generation };
    } catch (error) {
      if (!(error instanceof NamesChanged)) throw error;
    }
  }
}

/** The generation that answers, as soon as no switch is under way. */
async function settled(ports: NamesInForce, workspace: Delivery['workspace_id']): Promise<number> {
  for (let waited = 0; waited < pausesAtMost; waited++) {
    const record = (await ports.graphs.find(workspace))?.record;
    if (record?.rewrite?.state !== 'switching') return record?.generation ?? 0;
    await ports.pause(pauseMs);
  }
  throw new Fault('graph_switching', 'the switch to the graph of new names takes too long');
}

/** Of a relation: a list of a hundred thousand names would cost more to index than all else of it. */
const mostColumns = 2_000;

type Stated = {
  readonly edges?: readonly EdgeStatement[];
  readonly described?: readonly Described[];
  readonly contents?: ReadonlyMap<SchemaId, RelationSchema>;
};

export function statedColumns({ edges = [], described = [], contents }: Stated): Map<Urn, Set<string>> {
  const found = new Map<Urn, Set<string>>();
  const add = (relation: Urn, name: string | null) => {
    const column = name === null ? '' : indexedColumn(name);
    const known = findOrAdd(found, relation, () => new Set());
    if (column !== '' && known.size < mostColumns) known.add(column);
  };
  for (const { from, to, detail } of edges)
    for (const { inputColumn, outputColumn } of detail.columns) {
      add(from, inputColumn);
      add(to, outputColumn);
    }
  for (const { node, schema } of described)
    for (const { name } of contents?.get(schema)?.columns ?? []) add(node, name);
  return found;
}
