import * as v from 'valibot';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { NodeId } from '../graph/ids.ts';

/** The ids are uniform digests: of so many smallest ones the count follows exactly below, and nearly above. */
const maxIds = 1_000;
const idDigits = 10;
const maxTables = 20;

/** What is known of a connector's tables together: merging two is commutative and idempotent. */
export const ConnectorSummary = v.object({
  /** The beginnings of the smallest node ids, in order. */
  ids: v.array(v.string()),
  /** The most connected tables that were seen, with the count of their neighbours when they were last looked at. */
  tables: v.array(v.object({ ref: v.string(), degree: v.number() })),
  learnt_at: v.nullable(v.string()),
});
export type ConnectorSummary = v.InferOutput<typeof ConnectorSummary>;

export type SeenTable = { readonly node: NodeId; readonly ref: string; readonly degree: number };

export type SummaryStore = {
  readonly get: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, ConnectorSummary>>;
  /** Merges into what is kept, whoever else does at the same time. */
  readonly merge: (workspace: WorkspaceId, connector: ConnectorId, more: ConnectorSummary) => Promise<void>;
};

export const noSummary: ConnectorSummary = { ids: [], tables: [], learnt_at: null };

export const summaryOf = (seen: readonly SeenTable[], at: string): ConnectorSummary =>
  mergeSummaries(noSummary, {
    ids: seen.map(({ node }) => node.slice(0, idDigits)),
    tables: seen.map(({ ref, degree }) => ({ ref, degree })),
    learnt_at: at,
  });

/** The newer word on the degree of a table counts; of the others the most connected stay. */
export function mergeSummaries(known: ConnectorSummary, more: ConnectorSummary): ConnectorSummary {
  const degrees = new Map([...known.tables, ...more.tables].map(({ ref, degree }) => [ref, degree]));
  const tables = [...degrees].map(([ref, degree]) => ({ ref, degree }));
  return {
    ids: [...new Set([...known.ids, ...more.ids])].sort().slice(0, maxIds),
    tables: tables.sort((a, b) => b.degree - a.degree || (a.ref < b.ref ? -1 : 1)).slice(0, maxTables),
    learnt_at: (known.learnt_at ?? '') > (more.learnt_at ?? '') ? known.learnt_at : more.learnt_at,
  };
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** How many tables there are: exact up to a thousand, beyond from how dense the smallest ids lie, within some percent. */
export function tableCountOf({ ids }: ConnectorSummary): number {
  const last = ids.at(-1);
  if (ids.length < maxIds || last === undefined) return ids.length;
  const share = [...last].reduceRight((sum, digit) => (sum + alphabet.indexOf(digit)) / alphabet.length, 0);
  return Math.round((maxIds - 1) / share);
}
