import { describe, expect, it } from 'vitest';
import type { ConnectorId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { noFacts } from '../../../shared/domain/lineage/graph/claim.ts';
import { mostListed, type StoredNames } from '../../../shared/domain/lineage/graph/name-list.ts';
import { type Node, nodeId, urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import { nothingForgotten } from '../../../shared/domain/lineage/graph/order.ts';
import { listNamesHourly, type NameSources } from '../../../shared/domain/operations/sweep/list-names.ts';

const [minute, start] = [60_000, Date.parse('2026-11-24T12:00:00Z')];
const idle = 'ws_idle' as WorkspaceId;

/** Workspaces with the minutes, from the start, at which they were last touched. */
function sweepOf(touched: Readonly<Record<string, number>>, content: Partial<NameSources> = {}) {
  const lists = new Map<string, StoredNames>();
  const places = new Map<string, unknown>();
  const ids = [...Object.keys(touched), idle].map((id) => ({ id: id as WorkspaceId }));
  const ports: NameSources = {
    workspaces: async () => ids,
    namesOf: async () => ({ generation: 0, forgotten: nothingForgotten }),
    touched: async (id) => (id === idle ? null : new Date(start + (touched[id] ?? 0) * minute).toISOString()),
    pages: { scanNames: async () => [] },
    indexedColumns: async function* () {},
    nameLists: { put: async (id, names) => void lists.set(id, names) },
    places: {
      read: async (task) => places.get(task) ?? null,
      write: async (task, place) => void places.set(task, place),
    },
    ...content,
  };
  return {
    lists,
    /** Runs the task until it has made `most` lists, and returns their workspaces. */
    run: async (minutes: number, { most = Number.POSITIVE_INFINITY, hourly = false } = {}) => {
      const known = new Map(lists);
      lists.clear();
      const now = new Date(start + minutes * minute);
      await listNamesHourly(ports, { now, hourly, timeIsUp: () => lists.size >= most });
      const made = [...lists.keys()];
      for (const [id, names] of known) if (!lists.has(id)) lists.set(id, names);
      return made;
    },
  };
}

const week = 7 * 24 * 60;

describe('the sweep that lists names (G-NAME-10)', () => {
  it('lists a workspace at most once an hour, and only if a delivery came since an hour before the last pass', async () => {
    const { run } = sweepOf({ ws_a: -300, ws_b: 10 });
    expect(await run(0)).toEqual(['ws_a', 'ws_b']);
    expect(await run(45)).toEqual([]);
    expect(await run(46, { hourly: true })).toEqual(['ws_b']);
    expect(await run(105)).toEqual([]);
    expect(await run(106)).toEqual(['ws_b']);
    expect(await run(180)).toEqual([]);
  });

  it('goes on with a pass that had no time left, and lists all in the first pass of a week', async () => {
    const { run } = sweepOf({ ws_a: 0, ws_b: 0, ws_c: 0 });
    expect(await run(0, { most: 2 })).toEqual(['ws_a', 'ws_b']);
    expect(await run(15)).toEqual(['ws_c']);
    expect(await run(300)).toEqual(['ws_a', 'ws_b', 'ws_c']);
    expect(await run(400)).toEqual([]);
    expect(await run(week)).toEqual(['ws_a', 'ws_b', 'ws_c']);
  });

  it('lists relations and columns once, without what ephemeral models are inlined as', async () => {
    const connectorId = 'con_1' as ConnectorId;
    const relation: Node = { kind: 'relation', connectorId, ref: 'd.s.orders' };
    const inlined: Node = { kind: 'inlined', namespace: 'postgres://crm', name: 'shop.base' };
    const named = [relation, inlined].map(urnOf).map((urn) => ({ node: nodeId(urn), urn, facts: noFacts }));
    const { run, lists } = sweepOf(
      { ws_a: 0 },
      {
        pages: { scanNames: async (_, shard) => (shard === 7 ? named : []) },
        indexedColumns: async function* () {
          yield* [['total', 'id'], ['id']];
        },
      },
    );
    await run(0);
    expect(lists.get('ws_a')).toEqual({ urns: [urnOf(relation)], columns: ['id', 'total'], isCut: false });
  });

  it('stops reading columns when a list is full, and says that it has a part', async () => {
    let pages = 0;
    const { run, lists } = sweepOf(
      { ws_a: 0 },
      {
        indexedColumns: async function* () {
          for (; pages < 100; pages++) yield Array.from({ length: 10_000 }, (_, n) => `c${pages}_${n}`);
        },
      },
    );
    await run(0);
    const { columns = [], isCut } = lists.get('ws_a') ?? {};
    expect([columns.length, isCut, pages]).toEqual([mostListed.columns, true, mostListed.columns / 10_000]);
  });
});
