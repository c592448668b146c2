import { expect, it } from 'vitest';
import { limits } from '../../../shared/contract/limits.ts';
import type { Notification } from '../../../shared/contract/messages.ts';
import {
  announcingChecks,
  announcingDeliveries,
  announcingGaps,
  announcingShapes,
  ofComparison,
} from '../../../shared/domain/notifications/happenings.ts';

const now = new Date('2026-11-22T10:00:00.000Z');
const { listed } = limits.webhook;

/** What a store keeps with a change, and what webhooks hear of it, which must be the same. */
async function announced(
  change: (
    announce: (workspace: unknown, one: Notification) => Promise<void>,
    keep: (kept: unknown) => void,
  ) => Promise<unknown>,
): Promise<{ readonly heard: readonly unknown[]; readonly kept: readonly unknown[] }> {
  const heard: Notification[] = [];
  const kept: unknown[] = [];
  await change(
    async (workspace, one) => {
      expect(workspace).toBe('w');
      heard.push(one);
    },
    (one) => void kept.push(...[one].flat().filter((each) => each !== null && each !== undefined)),
  );
  return { heard: heard.map(withoutId), kept: kept.map((one) => withoutId(one as Notification)) };
}

/** An id is a digest of 22 characters, another one for each happening. */
function withoutId({ id, ...rest }: Notification) {
  expect(id).toMatch(/^[\w-]{22}$/);
  return rest;
}

const delivery = {
  ...{ workspace_id: 'w', delivery_id: 'd1', connector_id: 'c1', provider_instance_id: 'p1', provider_type: 'dbt' },
  ...{ kind: 'dbt_manifest', received_at: 'r', scope_key: 's' },
};
const finished = (finish: object, isWritten = true) =>
  announced((announce, keep) =>
    announcingDeliveries(
      {
        finish: async (...[, , , notification]: readonly unknown[]) => {
          keep(notification);
          return isWritten;
        },
      } as unknown as Parameters<typeof announcingDeliveries>[0],
      announce as never,
    ).finish(delivery as never, ['processing'] as never, finish as never),
  );
const ended = {
  completed_at: 'c',
  warnings: [{ code: 'malformed' }, { code: 'malformed' }, { code: 'late' }],
  attempts: 1,
};

it.each([
  [{ state: 'failed' }, 'A dbt delivery failed (malformed, late): d1.', {}],
  [{ state: 'failed', warnings: [] }, 'A dbt delivery failed (no reason recorded): d1.', { codes: [] }],
  [
    { state: 'held', completed_at: null },
    'A dbt snapshot would retract a large share of the evidence and needs an admin’s approval: d1.',
    {},
  ],
])('webhooks say why a delivery did not take effect: %o (C-HOOK-2)', async (finish, summary, data) => {
  const { workspace_id: _, ...about } = delivery;
  const expected = {
    type: `delivery.${finish.state}`,
    occurred_at: 'completed_at' in finish ? 'r' : 'c',
    summary,
    data: { ...about, state: finish.state, codes: ['malformed', 'late'], ...data },
  };
  expect(await finished({ ...ended, ...finish })).toEqual({ heard: [expected], kept: [expected] });
  expect((await finished({ ...ended, ...finish }, false)).heard).toEqual([]);
});

it('webhooks hear nothing of a delivery that was projected', async () => {
  expect(await finished({ ...ended, state: 'projected' })).toEqual({ heard: [], kept: [] });
});

it('webhooks hear of each gap that opens, once it is stored (C-HOOK-2)', async () => {
  const gap = (id: string) => ({
    id,
    gap_type: 'stale',
    opened_at: 'o',
    details: { reason: `late ${id}`, last_receipt: 'l' },
  });
  const commit = (isWritten: boolean) =>
    announced((announce, keep) =>
      announcingGaps(
        {
          commit: async (...[, , , notifications]: readonly unknown[]) => {
            keep(notifications);
            return isWritten;
          },
        } as unknown as Parameters<typeof announcingGaps>[0],
        announce as never,
      ).commit('w' as never, 'p1' as never, { opened: [gap('g1'), gap('g2')], closed: [gap('g3')] } as never),
    );
  const expected = ['g1', 'g2'].map((gap_id) => ({
    ...{ type: 'gap.opened', occurred_at: 'o', summary: `A feed has a gap (stale): late ${gap_id}.` },
    data: { gap_id, gap_type: 'stale', provider_instance_id: 'p1', reason: `late ${gap_id}`, last_receipt: 'l' },
  }));
  expect(await commit(true)).toEqual({ heard: expected, kept: expected });
  expect((await commit(false)).heard).toEqual([]);
});

const violations = Array.from({ length: listed + 1 }, (_, n) => ({ about: `u${n}`, message: `m${n}` }));
const result = (state: string, more: object = {}) => ({
  ...{ workspace_id: 'w', id: 'r1', check_id: 'k1', severity: 'warning', evaluated_at: 'e', delivery_id: 'd1', state },
  ...{ violations, violations_total: 30, ...more },
});

it.each([
  ['none', 'failed', {}, 'The check “fresh” fails (warning) in 30 places.'],
  ['passed', 'failed', { violations_total: 1 }, 'The check “fresh” fails (warning) in 1 place.'],
  ['failed', 'failed', {}, null],
  ['failed', 'passed', {}, null],
  ['none', 'unknown', {}, null],
])('webhooks hear that a check began to fail: from %s to %s (C-HOOK-2)', async (before, state, more, summary) => {
  const commit = (isWritten: boolean) =>
    announced((announce, keep) =>
      announcingChecks(
        {
          commit: async (...[, , notification]: readonly unknown[]) => {
            keep(notification);
            return isWritten;
          },
          find: async () => ({ record: { name: 'fresh' } }),
        } as unknown as Parameters<typeof announcingChecks>[0],
        announce as never,
      ).commit(
        (before === 'none' ? null : { record: { result: result(before) } }) as never,
        { result: result(state, more) } as never,
      ),
    );
  const expected = {
    ...{ type: 'check.failed', occurred_at: 'e', summary },
    data: {
      ...{ check_id: 'k1', name: 'fresh', severity: 'warning', result_id: 'r1', delivery_id: 'd1' },
      violations: violations.slice(0, listed).map(({ message }) => ({ message })),
      violations_total: 30,
      ...more,
    },
  };
  const told = summary === null ? [] : [expected];
  expect(await commit(true)).toEqual({ heard: told, kept: told });
  expect((await commit(false)).heard).toEqual([]);
});

const changed = (grade: string, name: string, breaks: readonly string[]) => ({
  ...{
    relation_ref: name,
    change: 'removed',
    grade,
    edges: [],
    breaks: breaks.map((relation_ref) => ({ relation_ref, depth: 1 })),
  },
});

it('webhooks hear what a branch breaks, and of no other branch (C-HOOK-2)', () => {
  const compared = (grade: string, relations: readonly object[], columns: readonly object[], any = false) =>
    ofComparison({
      connector: 'c1',
      now,
      diff: {
        grade,
        relations,
        columns,
        summary: { grades: { breaking: relations.length } },
        truncated: { any },
      } as never,
    });
  expect(compared('risky', [changed('risky', 'a', [])], [])).toBeNull();
  const relations = [changed('breaking', 'b', ['z', 'y']), changed('safe', 'c', ['x'])];
  const columns = [
    { ...changed('breaking', 'a', ['y']), column: 'id' },
    { ...changed('risky', 'a', ['w']), column: 'x' },
  ];
  const told = compared('breaking', relations, columns);
  expect(told && withoutId(told)).toEqual({
    ...{ type: 'diff.breaking', occurred_at: now.toISOString() },
    summary: 'A branch has 2 breaking changes, for 2 relations at least.',
    data: {
      connector_id: 'c1',
      changes: [
        { relation_ref: 'b', change: 'removed', breaks: ['z', 'y'] },
        { relation_ref: 'a', column: 'id', change: 'removed', breaks: ['y'] },
      ],
      ...{ changes_total: 2, breaks: ['y', 'z'], truncated: false },
    },
  });
  expect(compared('breaking', relations, columns)?.id).toBe(told?.id);
  expect(compared('breaking', relations, [])?.id).not.toBe(told?.id);
  const many = (count: number, ofOne: number) =>
    Array.from({ length: count }, (_, n) =>
      changed(
        'breaking',
        `r${n}`,
        Array.from({ length: ofOne }, (__, m) => `b${m}`),
      ),
    );
  for (const [rows, one, any, truncated, changes, breaks] of [
    [listed, listed, false, false, listed, listed],
    [listed + 1, 1, false, true, listed, 1],
    [1, listed + 1, false, true, 1, listed],
    [1, 1, true, true, 1, 1],
  ] as const) {
    const { data } = compared('breaking', many(rows, one), [], any) ?? {};
    expect([data?.['truncated'], data?.['changes'], data?.['breaks']]).toMatchObject([
      truncated,
      { length: changes },
      { length: breaks },
    ]);
  }
});

it.each([
  [[{ kind: 'new_event', event: 'Paid' }], 'new event Paid'],
  [
    [
      { kind: 'new_field', event: 'Paid', path: 'total' },
      { kind: 'gone', event: 'x' },
    ],
    'new field Paid total, and 1 more change',
  ],
  [[{ kind: 'new_type', event: 'Paid', path: 'total' }], 'new type of Paid total'],
  [
    Array.from({ length: listed + 1 }, () => ({ kind: 'gone', event: 'Paid' })),
    `gone: Paid, and ${listed} more changes`,
  ],
  [[], null],
])('webhooks hear how the events of a project changed: %o (C-HOOK-2)', async (changes, words) => {
  const known = { kind: 'new_event', event: 'Known' };
  const replace = (answer: unknown, found: unknown) =>
    announced((announce, keep) =>
      announcingShapes(
        {
          replace: async (...[, , , notification]: readonly unknown[]) => {
            keep(notification);
            return answer;
          },
        } as unknown as Parameters<typeof announcingShapes>[0],
        { now: () => now },
        announce as never,
      ).replace(
        { workspace_id: 'w', project_id: 'p1' } as never,
        found as never,
        { changes: [known, ...changes] } as never,
      ),
    );
  const found = { shapes: { changes: [known] }, revision: 3 };
  const expected = {
    ...{ type: 'shape.changed', occurred_at: now.toISOString(), summary: `The events of a project changed: ${words}.` },
    data: { collection_project_id: 'p1', changes: changes.slice(0, listed), changes_total: changes.length },
  };
  const told = words === null ? [] : [expected];
  expect(await replace('replaced', found)).toEqual({ heard: told, kept: told });
  expect((await replace(null, found)).heard).toEqual([]);
  expect(await replace('replaced', null)).toEqual({ heard: [], kept: [] });
});
