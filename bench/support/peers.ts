/** A figure that somebody measured of another product by the same load, and how. */
type PeerFigure = { readonly peer: string; readonly value: number };

/**
 * Marquez 0.51.1 (Java 17, PostgreSQL 15 that flushes) on two shared cores on 2026-11-21, by the load of
 * `openlineage-load.ts`, eight requests at once. The machine did other work too: processor seconds compare best.
 */
const marquez = (value: number): PeerFigure => ({ peer: 'Marquez 0.51.1', value });

/** What is recorded of peers, by the ledger's figures. A server without batches takes the same events one by one. */
export const recordedPeers: Readonly<Record<string, PeerFigure>> = {
  'W1 singly, whole service: processor': marquez(118),
  'W1 singly, whole service: throughput': marquez(8.6),
  'W1 singly, whole service: answer, median': marquez(802),
  'W1 by 100, whole service: processor': marquez(118),
  'W1 by 100, whole service: throughput': marquez(8.6),
  'W2 singly, whole service: processor': marquez(36),
  'W2 singly, whole service: throughput': marquez(30.4),
  'W3 singly, whole service: processor': marquez(1_014),
  'Lineage over HTTP, 1,000 jobs, depth 5: median': marquez(683),
  'Lineage over HTTP, 1,000 jobs, depth 10: median': marquez(1_779),
  'Columns over HTTP, 1,000 jobs, depth 5: median': marquez(32),
  'A hub of 2,000 jobs over HTTP, depth 1: median': marquez(3_500),
  'A hub of 2,000 jobs over HTTP, depth 5: median': marquez(25_600),
};
