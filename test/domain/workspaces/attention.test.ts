import { expect, it } from 'vitest';
import { listAttention } from '../../../shared/domain/workspaces/requests/attention.ts';

const at = (minute: number) => `2026-11-22T10:0${minute}:00.000Z`;
const request = (id: string, minute: number, more: object = {}) => ({
  ...{
    id,
    created_at: at(minute),
    state: 'pending',
    user_id: 'u',
    reason: 'I load data',
    role: 'viewer',
    client: null,
  },
  ...more,
});
const client = (redirect_uri: string) => ({ client: { client_name: 'agent', redirect_uri } });
const check = (id: string, severity: string, enabled = true) => ({ id, name: `check ${id}`, severity, enabled });
const result = (check_id: string, state: string, minute: number, violations: object[] = [{ message: 'no' }]) => ({
  result: { id: `r-${check_id}`, check_id, state, since: at(minute), violations },
});
const checks = [
  check('a', 'warning'),
  check('b', 'critical'),
  check('c', 'info'),
  check('d', 'warning', false),
  check('e', 'warning'),
];
const ports = {
  registry: {
    accessRequests: {
      list: async () => [
        request('q1', 1),
        request('q2', 2, { role: 'editor', ...client('https://Agent.test:8443/callback') }),
        request('q3', 3, { role: 'admin', ...client('no address'), reason: null }),
        request('q4', 4, { state: 'denied' }),
      ],
    },
  },
  deliveries: {
    held: async () => [
      {
        delivery_id: 'd1',
        attempts: 2,
        state: 'held',
        received_at: at(5),
        warnings: [{ message: 'shrinks' }, { message: 'x' }],
      },
      { delivery_id: 'd2', attempts: 1, state: 'held', received_at: at(0), warnings: [] },
      { delivery_id: 'd3', attempts: 1, state: 'released', received_at: at(0), warnings: [] },
    ],
  },
  checks: {
    list: async () => checks,
    statuses: async (_: unknown, ids: readonly string[]) => {
      expect(ids).toEqual(['a', 'b', 'e']);
      return [
        result('a', 'failed', 6),
        result('b', 'failed', 7, []),
        result('e', 'passed', 8),
        result('z', 'failed', 9),
      ];
    },
  },
};

const requestItem = (id: string, minute: number, more: object) => ({
  ...{ id, event_id: `${id}.${Date.parse(at(minute))}`, kind: 'access_request', href: `/access?request=${id}` },
  ...{ description: 'I load data', requester: 'u', timestamp: at(minute), ...more },
});
const held = (id: string, attempts: number, minute: number, description: string | null) => ({
  ...{ id, event_id: `${id}.${attempts}`, kind: 'delivery', title: 'The shrink guard holds a snapshot' },
  ...{ href: `/deliveries/${id}`, description, requester: null, timestamp: at(minute), severity: 'warning' },
});
const failed = (id: string, minute: number, severity: string, description: string | null) => ({
  ...{
    id,
    event_id: `r-${id}`,
    kind: 'agent_check',
    title: `The check check ${id} fails`,
    href: `/checks?check=${id}`,
  },
  ...{ description, requester: null, timestamp: at(minute), severity },
});
const forEditors = [failed('b', 7, 'critical', null), failed('a', 6, 'warning', 'no')];
const forAdmins = [
  ...forEditors,
  held('d1', 2, 5, 'shrinks'),
  requestItem('q3', 3, {
    ...{ title: 'A member requests a token for agent on no address', severity: 'critical', description: null },
  }),
  requestItem('q2', 2, { title: 'A member requests a token for agent on agent.test:8443', severity: 'warning' }),
  requestItem('q1', 1, { title: 'A member requests the role viewer', severity: 'info' }),
  held('d2', 1, 0, null),
];

it.each([
  ['viewer', []],
  ['editor', forEditors],
  ['admin', forAdmins],
])('what waits for a %s is listed newest first (C-ATTENTION-1, C-ATTENTION-2)', async (role, items) => {
  const viewer = { workspace: 'ws', role } as never;
  const page = (limit: number, cursor?: string) => listAttention(ports as never, viewer, { limit, cursor } as never);
  expect(await page(10)).toEqual({ workspace_id: 'ws', items, next_cursor: null });
  const paged: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { items: some, next_cursor } = await page(2, cursor);
    paged.push(...some);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(paged).toEqual(items);
});

it('statuses of checks are not read if none is enabled', async () => {
  const none = {
    ...ports,
    checks: { list: async () => [check('d', 'warning', false)], statuses: () => Promise.reject(new Error('read')) },
  };
  const { items } = await listAttention(
    none as never,
    { workspace: 'ws', role: 'editor' } as never,
    { limit: 10 } as never,
  );
  expect(items).toEqual([]);
});
