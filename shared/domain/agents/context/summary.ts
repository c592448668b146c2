import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { NodeId } from '../../lineage/graph/node.ts';

/** The ids are uniform digests: those up to a bound follow the count of all. */
const idsKept = 1_000;
const idDigits = 10;
const tablesKept = 20;

export const ConnectorSummary = v.object({
  /** The beginnings of the node ids up to the bound, in order. */
  ids: v.array(v.string()),
  /** Null: there are so few that all are kept. */
  bound: v.nullable(v.string()),
  tables: v.array(v.object({ ref: v.string(), degree: v.number() })),
  learnt_at: v.nullable(v.string()),
});
export type ConnectorSummary = v.InferOutput<typeof ConnectorSummary>;

/** A table as it is now; one without neighbours is there no more. */
export type SeenTable = { readonly node: NodeId; readonly ref: string; readonly degree: number };

export type SummaryUpdate = { readonly seen: readonly SeenTable[]; readonly at: string };

export type SummaryStore = {
  readonly get: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, ConnectorSummary>>;
  /** Updates the record, also if another process does so at the same time. */
  readonly update: (workspace: WorkspaceId, connector: ConnectorId, update: SummaryUpdate) => Promise<void>;
};

export const noSummary: ConnectorSummary = { ids: [], bound: null, tables: [], learnt_at: null };

export function updated(known: ConnectorSummary, { seen, at }: SummaryUpdate): ConnectorSummary {
  const ids = new Set(known.ids);
  const degrees = new Map(known.tables.map(({ ref, degree }) => [ref, degree]));
  for (const { node, ref, degree } of seen) {
    const id = node.slice(0, idDigits);
    degrees.delete(ref);
    if (degree > 0) degrees.set(ref, degree);
    if (degree === 0) ids.delete(id);
    else if (known.bound === null || id <= known.bound) ids.add(id);
  }
  const remaining = [...ids].sort().slice(0, idsKept);
  const tables = [...degrees].map(([ref, degree]) => ({ ref, degree }));
  return {
    ids: remaining,
    bound: ids.size > idsKept ? (remaining.at(-1) ?? null) : known.bound,
    tables: tables.sort((a, b) => b.degree - a.degree || (a.ref < b.ref ? -1 : 1)).slice(0, tablesKept),
    learnt_at: (known.learnt_at ?? '') > at ? known.learnt_at : at,
  };
}

/** How far `learnt_at` may lie behind, if nothing else has changed: a delivery is no write of all that is kept. */
export const leastAge = 60_000;

/** Whether an update says what is kept already. */
export function isKept(known: ConnectorSummary, next: ConnectorSummary): boolean {
  const textOf = ({ ids, bound, tables }: ConnectorSummary) => JSON.stringify([ids, bound, tables]);
  const age = Date.parse(next.learnt_at ?? '') - Date.parse(known.learnt_at ?? '');
  return age < leastAge && textOf(known) === textOf(next);
}

/** The digits of ids in text order, which differs from base32 order. */
const digits = '234567abcdefghijklmnopqrstuvwxyz';

/** How many tables there are: exact up to a thousand, beyond from how dense the kept ids lie, within some percent. */
export function tableCountOf({ ids, bound }: ConnectorSummary): number {
  if (bound === null) return ids.length;
  const share = [...bound].reduceRight((sum, digit) => (sum + digits.indexOf(digit)) / digits.length, 0);
  return Math.round(ids.filter((id) => id < bound).length / share);
}
