import { expect, it } from 'vitest';
import { gapViolations } from '../../../shared/domain/agents/checks/workspace-rules.ts';

const feed = (id: string, connector_id: string, ...gaps: readonly object[]) => ({
  provider: { id, connector_id, display_name: 'OpenLineage' },
  counters: { gaps },
});
const gap = (gap_type: string, status: string) => ({ gap_type, status, reason: 'nothing came' });

it('names the feeds of open gaps apart, as lists of feeds do', async () => {
  const records = [
    feed('1', 'con_a', gap('silent_provider', 'open'), gap('backlog', 'ignored')),
    feed('2', 'con_b', gap('backlog', 'open')),
  ];
  const query = {
    reader: { providers: { list: () => records } },
    context: { connectors: new Map([['con_a', { id: 'con_a', name: 'warehouse' }]]) },
  };
  const found = (type: string | null) =>
    gapViolations(query as never, 'w' as never, { kind: 'no_open_gap', type } as never).then((all) =>
      all.map(({ message }) => message),
    );
  expect(await found(null)).toEqual([
    'OpenLineage (warehouse) has an open gap silent_provider: nothing came.',
    'OpenLineage (con_b) has an open gap backlog: nothing came.',
  ]);
  expect(await found('backlog')).toEqual(['OpenLineage (con_b) has an open gap backlog: nothing came.']);
});
