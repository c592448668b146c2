import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandJson, commandLine } from '../support/command-line.ts';
import { runEvent } from '../support/run-event.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { shopManifest } from '../support/shop-project.ts';

const namespace = 'postgres://warehouse.acme.test:5432';
let service: ServiceProcess;
let folder: string;

beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  folder = mkdtempSync(path.join(tmpdir(), 'files-with-service-'));
  written('manifest.json', shopManifest());
  written('branch.json', [runEvent(namespace, ['crm.x.b'], ['crm.x.c'], { job: 'on_branch' })]);
  await pushed('live', ['crm.x.a'], ['crm.x.b']);
  await pushed('far', ['crm.x.c'], ['crm.x.d']);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.end('SIGTERM');
});

function written(name: string, content: unknown): string {
  writeFileSync(path.join(folder, name), JSON.stringify(content));
  return name;
}

const acme = () => ['--credentials', service.file, '--workspace', 'acme', '--connector', 'warehouse'];
const json = (...args: string[]) => commandJson([...args, ...acme()], { folder });
const pushed = (job: string, inputs: string[], outputs: string[]) =>
  json('push', 'openlineage', written(`${job}.json`, [runEvent(namespace, inputs, outputs, { job })]));
const branch = ['--openlineage', 'branch.json'];

type Item = { readonly relation_ref: string };
const refsIn = (items: readonly Item[]) => items.map(({ relation_ref }) => relation_ref);

describe('files beside a service are one answer (C-FILES-5)', () => {
  it('follows the edges of both, in any order', async () => {
    const { downstream, claim, workspace_id } = await json('impact', 'crm.x.a', ...branch);
    expect(refsIn(downstream)).toEqual(['crm.x.b', 'crm.x.c', 'crm.x.d']);
    expect(claim).toMatchObject({ kind: 'breaks', counts: { breaks: 3 }, evidence_until: expect.any(String) });
    expect(workspace_id).toMatch(/^ws_/);
    expect(refsIn((await json('impact', 'crm.x.a')).downstream)).toEqual(['crm.x.b']);
    const { items } = await json('search', 'crm.x', ...branch);
    expect(refsIn(items)).toEqual(expect.arrayContaining(['crm.x.a', 'crm.x.c', 'crm.x.d']));
    expect((await json('explain', 'crm.x.b', 'crm.x.c', ...branch)).found).toBe(true);
    const live = await json('explain', 'crm.x.a', 'crm.x.b');
    expect((await json('explain', 'crm.x.a', 'crm.x.b', ...branch)).evidence).toEqual(live.evidence);
  });

  it('keeps relations of another database apart from those of the connector', async () => {
    written('other.json', [runEvent('postgres://other:5432', ['crm.x.a'], ['crm.x.z'], { job: 'elsewhere' })]);
    const { downstream } = await json('impact', 'crm.x.a', '--openlineage', 'other.json');
    expect(refsIn(downstream)).toEqual(['crm.x.b']);
    const elsewhere = await json('impact', 'postgres://other:5432/crm.x.a', '--openlineage', 'other.json');
    expect(refsIn(elsewhere.downstream)).toEqual(['postgres://other:5432/crm.x.z']);
  });

  it('calls nothing unused that either of them reads', async () => {
    const unusedIn = async (...options: string[]) =>
      refsIn((await json('unused', '--manifest', 'manifest.json', ...options)).items);
    const [leaf = '', ...others] = await unusedIn('--offline');
    expect(await unusedIn()).toEqual(expect.arrayContaining([leaf, ...others]));
    await pushed('reads_leaf', [leaf], ['crm.x.report']);
    const joint = await unusedIn();
    expect(joint).not.toContain(leaf);
    expect(joint).toEqual(expect.arrayContaining([...others, 'crm.x.report']));
  });

  it('takes an edge that both know for confirmed, with the evidence of both', async () => {
    await pushed('loads_orders', ['crm.core.stg_orders'], ['crm.core.orders']);
    const { edges } = await json('impact', 'crm.core.stg_orders', '--manifest', 'manifest.json');
    const edge = edges.find((one: { downstream: string }) => one.downstream === 'crm.core.orders');
    expect(edge).toMatchObject({
      verdict: 'confirmed',
      evidence: [{ provider_type: 'dbt_manifest' }, { provider_type: 'openlineage' }],
    });
    expect(edge.evidence[1].scope_key).toContain('loads_orders');
  });

  it('settles what the service leaves open by the columns that the files list', async () => {
    const facet = { _producer: 'urn:test', _schemaURL: 'urn:test' };
    const fields = { a: { inputFields: [{ namespace, name: 'crm.x.m', field: 'a' }] } };
    const schema = { ...facet, fields: ['a', 'b'].map((name) => ({ name, type: 'int' })) };
    const writing = (facets: object, job: string) => ({
      ...runEvent(namespace, ['crm.x.m'], [], { job }),
      outputs: [{ namespace, name: 'crm.x.n', facets }],
    });
    await json('push', 'openlineage', written('open.json', [writing({ columnLineage: { ...facet, fields } }, 'open')]));
    written('listed.json', [{ ...writing({ schema }, 'listed'), inputs: [] }]);
    const args = ['impact', 'crm.x.m', '--column', 'a', '--openlineage', 'listed.json'];
    expect((await json(...args)).column_lineage.unresolved).toContainEqual(
      expect.objectContaining({ relation_ref: 'crm.x.n', column: 'b' }),
    );
  });

  it('has what limits the answer of the service, but not that it lacks a name', async () => {
    const broken = { ...runEvent(namespace, ['crm.x.a'], ['crm.x.q']), eventTime: 'never' };
    await commandLine(['push', 'openlineage', written('broken.json', [broken]), ...acme()], { folder });
    const { claim } = await json('impact', 'crm.core.orders', '--manifest', 'manifest.json');
    const codes = claim.limits.map(({ code }: { code: string }) => code);
    expect(codes).toContain('delivery_quarantined');
    expect(codes).not.toContain('files_only');
    expect(codes).not.toContain('name_not_resolved');
  });

  it('is that of the files, and says so, if the service is not there or not wanted', async () => {
    const codesIn = async (env: Record<string, string>, ...options: string[]) => {
      const args = ['impact', 'crm.core.orders', '--manifest', 'manifest.json', ...options];
      const { claim } = await commandJson(args, { folder, env });
      return claim.limits.map(({ code }: { code: string }) => code);
    };
    const env = { TRIBUTARY_URL: 'http://127.0.0.1:9', TRIBUTARY_TOKEN: 'any' };
    const apart = await codesIn({});
    expect(apart).toContain('files_only');
    expect(await codesIn(env)).toEqual([...apart, 'service_not_asked']);
    expect(await codesIn(env, '--offline')).toEqual(apart);
    const { code, messages } = await commandLine(['impact', 'crm.core.orders', '--offline'], { folder, env });
    expect([code, messages]).toEqual([2, expect.stringContaining('--offline needs files to answer from.')]);
  });
});
