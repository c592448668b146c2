import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ClaimWriter } from '../../../domain/lineage/graph/claim-writer.ts';
import { batchedChanges } from '../requests/batched-changes.ts';
import type { Table } from '../requests/table.ts';
import { addClaims } from './claims/add-claims.ts';
import type { GraphWriter, WriterState } from './claims/levels.ts';
import { narrowObservations, observedSpans } from './claims/narrow.ts';
import { writeAlias, writeDrop, writeRename } from './claims/node-facts.ts';
import { observeNodes } from './claims/observe.ts';
import { attribute } from './codec.ts';
import { expireObservations } from './retire/expire-observations.ts';
import { forgetPages } from './retire/forget.ts';
import { prunePages } from './retire/prune.ts';

/** The claim writer over a table of nodes and their neighbour pages (docs/graph.md). */
export function claimWriter(table: Table, state: WriterState): ClaimWriter {
  const changeTogether = batchedChanges(table);
  const writerOf = (workspace: WorkspaceId): GraphWriter => ({ table, state, changeTogether, workspace });
  return {
    claim: (workspace, { kind, scope, order, ...claims }) =>
      addClaims(writerOf(workspace), claims, (side) => attribute.claims(side, kind, scope, order)),
    observe: (workspace, observation) => observeNodes(writerOf(workspace), observation),
    observed: (workspace, scope, edges) => observedSpans(writerOf(workspace), scope, edges),
    narrow: (workspace, scope, narrowings) => narrowObservations(writerOf(workspace), scope, narrowings),
    alias: (workspace, alias, canonical) =>
      once(state, `${workspace} alias ${alias} ${canonical}`, () => writeAlias(writerOf(workspace), alias, canonical)),
    rename: (workspace, from, to, at) =>
      once(state, `${workspace} rename ${from} ${to} ${at}`, () => writeRename(writerOf(workspace), { from, to, at })),
    drop: (workspace, node, at) =>
      once(state, `${workspace} drop ${node} ${at}`, () => writeDrop(writerOf(workspace), node, at)),
    prune: (workspace, retired) => prunePages(writerOf(workspace), retired),
    forget: (workspace, retired) => forgetPages(writerOf(workspace), retired),
    expireObservations: (workspace, page, observations) => expireObservations(writerOf(workspace), page, observations),
  };
}

/** Writes a fact at most once a process: producers repeat their symlinks with every event. */
async function once(state: WriterState, fact: string, write: () => Promise<void>): Promise<void> {
  if (state.facts.has(fact)) return;
  await write();
  state.facts.set(fact, true);
}
