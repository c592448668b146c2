import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ClaimWriter } from '../../../domain/graph/ports.ts';
import type { Meter, Table } from '../table.ts';
import { addClaims } from './add-claims.ts';
import { forgetPages } from './forget.ts';
import { forgetObservationsOf } from './forget-observations.ts';
import type { Writer, WriterState } from './levels.ts';
import { writeAlias, writeDrop, writeRename } from './node-facts.ts';
import { observeEdges } from './observe.ts';
import { attribute } from './page-codec.ts';
import { prunePages } from './prune.ts';
import { observedSpans, withdrawObservation } from './withdraw.ts';

/** The claim writer over a table of nodes and their neighbour pages (`graph.md`, section 6). */
export function claimWriter(table: Table, state: WriterState, meter?: Meter): ClaimWriter {
  const writer = (workspace: WorkspaceId): Writer => ({ table, state, workspace, meter });
  return {
    claim: (workspace, { kind, scope, order, edges }) =>
      addClaims(writer(workspace), edges, (side) => attribute.claims(side, kind, scope, order)),
    observe: (workspace, { edges, ...observation }) => observeEdges(writer(workspace), edges, observation),
    observed: (workspace, scope, edges) => observedSpans(writer(workspace), workspace, scope, edges),
    withdraw: (workspace, withdrawal) => withdrawObservation(writer(workspace), workspace, withdrawal),
    alias: (workspace, alias, canonical) =>
      once(state, `${workspace} alias ${alias} ${canonical}`, () =>
        writeAlias(writer(workspace), workspace, alias, canonical),
      ),
    rename: (workspace, from, to, at) =>
      once(state, `${workspace} rename ${from} ${to} ${at}`, () =>
        writeRename(writer(workspace), workspace, { from, to, at }),
      ),
    drop: (workspace, node, at) =>
      once(state, `${workspace} drop ${node} ${at}`, () => writeDrop(writer(workspace), workspace, node, at)),
    prune: (workspace, dead) => prunePages(writer(workspace), workspace, dead),
    forget: (workspace, dead) => forgetPages(writer(workspace), workspace, dead),
    forgetObservations: (workspace, page, observations) =>
      forgetObservationsOf(writer(workspace), workspace, page, observations),
  };
}

/** Writes a fact at most once a process: producers repeat their symlinks with every event. */
async function once(state: WriterState, fact: string, write: () => Promise<void>): Promise<void> {
  if (state.facts.has(fact)) return;
  await write();
  state.facts.set(fact, true);
}
