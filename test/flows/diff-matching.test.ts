import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

type Change = NonNullable<Parameters<typeof shopManifest>[0]>;
type Nodes = Parameters<Change>[0];

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());
const core = (table: string) => `crm.core.${table}`;

const push = (change?: Change) =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: shopManifest(change),
    completeness: 'complete',
    project_id: 'crm',
    source_event_key: randomUUID(),
  });
async function diff(change?: Change, extra: object = {}): Promise<LineageDiff> {
  const body = { project_id: 'crm', manifest: shopManifest(change), ...extra };
  const { status, json } = await place.post('/v1/lineage/diff', body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}
const columnOf = (answer: LineageDiff, relation: string, column: string) =>
  answer.columns.find((one) => one.relation_ref === relation && one.column === column);

/** Builds all models, or these, into a schema of the branch's own. */
function builtElsewhere(nodes: Nodes, ids = Object.keys(nodes)): void {
  for (const id of ids) {
    const node = nodes[id];
    if (!node) continue;
    node.schema = 'pr_7';
    node.relation_name = `"crm"."pr_7"."${node.alias}"`;
  }
  for (const node of Object.values(nodes))
    for (const id of ids) {
      const name = nodes[id]?.alias ?? '';
      if (node.compiled_code)
        node.compiled_code = node.compiled_code.replaceAll(`"core"."${name}"`, `"pr_7"."${name}"`);
    }
}

const withoutGross = (nodes: Nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', '');

describe('a branch that is built in a schema of its own (C-DIFF-12)', () => {
  it('is matched by its models by default', async () => {
    await push();
    expect(await diff((nodes) => builtElsewhere(nodes))).toMatchObject({
      grade: 'safe',
      matched_by: 'model',
      relations: [],
      edges: [],
      columns: [],
    });
    const broken = await diff((nodes) => {
      builtElsewhere(nodes);
      withoutGross(nodes);
    });
    expect(broken).toMatchObject({ grade: 'breaking', matched_by: 'model' });
    expect(columnOf(broken, core('orders'), 'gross')).toMatchObject({ change: 'removed', grade: 'breaking' });
    const same = await diff(withoutGross, { match_by: 'relation' });
    expect(broken.columns).toEqual(same.columns);
  });

  it('has the live relation of a model that got another id and makes the same table', async () => {
    const versioned = (change: Change) => (nodes: Nodes, manifest: Parameters<Change>[1]) => {
      builtElsewhere(nodes);
      change(nodes, manifest);
      const { 'model.shop.orders': orders } = nodes;
      if (orders) nodes['model.shop.orders.v1'] = orders;
      delete nodes['model.shop.orders'];
      for (const { depends_on } of [...Object.values(nodes), ...Object.values(manifest.exposures)])
        depends_on.nodes = depends_on.nodes?.map((id) => (id === 'model.shop.orders' ? `${id}.v1` : id)) ?? [];
    };
    await push();
    expect(await diff(versioned(() => undefined))).toMatchObject({ grade: 'safe', relations: [] });
    expect((await diff(versioned(withoutGross))).columns).toEqual((await diff(withoutGross)).columns);
  });

  it('has the same Python models, though their text names where they are built', async () => {
    const python = (schema: string) => (nodes: Nodes) => {
      const node = nodes['model.shop.scores'];
      const relation = String.raw`\"crm\".\"${schema}\".\"customers\"`;
      if (node) node.compiled_code = `refs = {"customers": "${relation}"}\nclass this:\n    schema = "${schema}"`;
    };
    await push(python('core'));
    const elsewhere = (change: Change) => (nodes: Nodes, manifest: Parameters<Change>[1]) => {
      builtElsewhere(nodes);
      change(nodes, manifest);
    };
    expect(await diff(elsewhere(python('pr_7')))).toMatchObject({ grade: 'safe', relations: [] });
    expect(await diff(elsewhere(python('pr_8')))).toMatchObject({ grade: 'risky' });
  });

  it('is not evaluated by relation, because it has none in common with the live project', async () => {
    await push();
    const answer = await diff((nodes) => builtElsewhere(nodes), { match_by: 'relation' });
    expect(answer).toMatchObject({
      grade: 'not_evaluated',
      matched_by: null,
      not_evaluated: { reason: 'nothing_in_common' },
      relations: [],
    });
  });

  it('is matched although a snapshot keeps its schema in every target', async () => {
    await push();
    const answer = await diff((nodes) => {
      builtElsewhere(nodes, Object.keys(nodes).slice(1));
    });
    expect(answer).toMatchObject({ grade: 'safe', relations: [], edges: [] });
  });

  it('renames a relation if its configuration does', async () => {
    await push();
    await place.emit(runEvent(place.namespace, [core('customers')], ['crm.bi.copy']));
    const answer = await diff((nodes, manifest) => {
      builtElsewhere(nodes);
      const node = nodes['model.shop.customers'];
      if (!node) throw new Error('no model');
      Object.assign(node, {
        alias: 'people',
        config: { alias: 'people' },
        relation_name: '"crm"."pr_7"."people"',
      });
      manifest.exposures['exposure.shop.weekly'].depends_on.nodes = ['model.shop.orders'];
      delete nodes['model.shop.scores'];
    });
    expect(answer.relations).toContainEqual(
      expect.objectContaining({ relation_ref: core('customers'), change: 'removed', grade: 'breaking' }),
    );
    expect(answer.relations).toContainEqual(
      expect.objectContaining({ relation_ref: 'crm.pr_7.people', change: 'added' }),
    );
  });

  it('reads another source if one of its sources moved', async () => {
    await push();
    const answer = await diff((nodes, manifest) => {
      builtElsewhere(nodes);
      const [source] = Object.values(manifest.sources);
      if (!source) throw new Error('no source');
      const name = `"${source.database}"."${source.schema}"."${source.identifier}"`;
      const other = `"${source.database}"."elsewhere"."${source.identifier}"`;
      Object.assign(source, { schema: 'elsewhere', relation_name: other });
      for (const node of Object.values(nodes))
        if (node.compiled_code)
          node.compiled_code = node.compiled_code.replaceAll(name, other).replaceAll(name.replaceAll('"', ''), other);
    });
    expect(answer.grade).not.toBe('safe');
    expect(answer.edges.map(({ change }) => change).sort()).toEqual(['added', 'removed']);
  });
});

it('is matched by model in the same schema too, and a relation that moved is a change', async () => {
  await push();
  expect(await diff()).toMatchObject({ grade: 'safe', matched_by: 'model', relations: [] });
  await place.emit(runEvent(place.namespace, [core('customers')], ['crm.bi.copy']));
  const answer = await diff((nodes) => builtElsewhere(nodes, ['model.shop.customers']));
  expect(answer.relations).toContainEqual(
    expect.objectContaining({ relation_ref: core('customers'), change: 'removed', grade: 'breaking' }),
  );
});

it('is not compared with another project (C-DIFF-8)', async () => {
  await push();
  const answer = await diff((_, manifest) => {
    manifest.metadata.project_name = 'other';
  });
  expect(answer).toMatchObject({
    grade: 'not_evaluated',
    not_evaluated: { reason: 'other_project', linked_projects: ['crm'], message: expect.stringContaining('other') },
  });
});
