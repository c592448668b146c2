import { expect, it } from 'vitest';
import type { ConnectorId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { touchedNotes } from '../../../shared/domain/agents/context/note-touched.ts';
import { graphOf, nodeId, urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import type { GraphReader } from '../../../shared/domain/lineage/traversal/graph-view.ts';
import { queryOf } from '../../support/query-of.ts';

const workspace = 'ws_1' as WorkspaceId;
const urn = (ref: string) => urnOf({ kind: 'relation', connectorId: 'con_1' as ConnectorId, ref });

/** An empty graph that counts its reads and writes. */
function counting() {
  const count = { looks: 0, updates: 0 };
  const reader = {
    pages: {
      nodes: async () => {
        count.looks++;
        return [];
      },
      names: async () => [],
    },
  } as unknown as GraphReader;
  const summaries = {
    update: async () => {
      count.updates++;
    },
  };
  return { reader, summaries, count };
}

const observing = (refs: readonly string[], onlyObserved = true) => ({
  nodes: new Map(refs.map((ref) => [nodeId(urn(ref)), urn(ref)])),
  observed: new Set(refs),
  onlyObserved,
});

it('looks at tables again only where something else was done to them than to observe what it counted (G-AGENT-4)', async () => {
  const { reader, summaries, count } = counting();
  const note = touchedNotes();
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const took = async (...args: readonly [Parameters<typeof note>[2], number, number?]) => {
    const [touched, second, generation = 0] = args;
    const before = { ...count };
    await note({ ...queryOf(reader, graphOf(workspace, generation)), summaries }, workspace, touched, at(second));
    return [count.looks - before.looks, count.updates - before.updates];
  };
  expect(await took(observing(['a', 'b']), 0)).toEqual([1, 1]);
  expect(await took(observing(['a', 'b']), 59)).toEqual([0, 0]);
  expect(await took(observing(['b']), 60)).toEqual([0, 1]);
  expect(await took(observing(['b', 'c']), 61)).toEqual([1, 0]);
  expect(await took(observing(['c'], false), 62)).toEqual([1, 0]);
  expect(await took(observing(['c']), 63, 1)).toEqual([1, 0]);
});
