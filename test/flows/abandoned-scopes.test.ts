import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { scanGaps } from '../../shared/domain/lineage/gaps/scan-gaps.ts';
import { linkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);

/** A project whose models each read one raw table. */
const project = (...models: readonly string[]) => ({
  metadata: { adapter_type: 'postgres' },
  sources: {
    'source.s.raw': { resource_type: 'source', database: 'crm', schema: 'raw', identifier: 'raw', name: 'raw' },
  },
  nodes: Object.fromEntries(
    models.map((name) => [
      `model.s.${name}`,
      {
        ...{ resource_type: 'model', database: 'crm', schema: 'core', alias: name, name },
        compiled_code: 'select id from crm.raw.raw',
        depends_on: { nodes: ['source.s.raw'] },
      },
    ]),
  ),
});

async function newPlace() {
  const place = await world.place();
  await linkProject(world.operator, place.workspace, 'renamed');
  const push = (project_id: string, ...models: readonly string[]) =>
    place.declare('/v1/lineage/dbt/manifest', {
      ...{ manifest: project(...models), project_id, completeness: 'complete', source_event_key: randomUUID() },
    });
  return { ...place, push };
}

/** The gaps of a scan at a moment so many hours from now. */
async function gapsAfter({ workspace }: LineagePlace, hours: number) {
  const sweep = sweepPorts();
  const now = new Date(Date.now() + hours * 3_600_000);
  const run = { from: null, now, timeIsUp: () => false };
  await scanGaps({ ...sweep, survey: async () => new Map(), workspaces: async () => [{ id: workspace }] }, run);
  const gaps = [];
  for await (const { provider } of sweep.providers.list(workspace, null))
    gaps.push(...(await sweep.gaps.current(workspace, provider.id)).gaps);
  return gaps.filter(({ gap_type }) => gap_type === 'abandoned_scope');
}

describe('a scope that nothing renews (C-GAP-13)', () => {
  it('is a gap with its command where a renamed project states the same relations, until it is forgotten', async () => {
    const place = await newPlace();
    await place.push('crm', 'a', 'b');
    await place.push('renamed', 'a', 'b');
    expect(await gapsAfter(place, 0)).toEqual([]);
    await place.push('renamed', 'a');
    const scope = (name: string) => `connector:${place.connector.id}:dbt-project:${name}`;
    const [gap] = await gapsAfter(place, 0);
    expect(gap?.details).toMatchObject({
      scopes: [{ scope_key: scope('crm'), replaced_by: scope('renamed') }],
      command: `tributary admin scopes forget ${place.workspace} '${scope('crm')}'`,
    });
    const body = { workspace_id: place.workspace, scope_key: scope('crm'), dry_run: false };
    await place.post('/v1/lineage/scopes/forget', body, { token: place.tokens.admin, body });
    expect(await gapsAfter(place, 1)).toEqual([]);
  });

  it('is a gap where partial pushes named no project, which no snapshot of the project retracts', async () => {
    const place = await newPlace();
    await place.declare('/v1/lineage/dbt/manifest', { manifest: project('a', 'b') });
    expect(await gapsAfter(place, 1)).toEqual([]);
    await place.push('crm', 'a');
    expect(await gapsAfter(place, 1)).toMatchObject([
      { details: { scopes: [{ scope_key: expect.stringMatching(/:default$/) }] } },
    ]);
  });

  it('is none if the projects share no relation', async () => {
    const place = await newPlace();
    for (const models of [['a'], ['a', 'b']]) await place.push('crm', ...models);
    for (const models of [['c'], ['c', 'd'], ['c']]) await place.push('renamed', ...models);
    expect(await gapsAfter(place, 100)).toEqual([]);
  });
});
