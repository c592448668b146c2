import * as v from 'valibot';
import { expect, it } from 'vitest';
import { DatahubAcquisition, DbtAcquisition, SqlmeshAcquisition } from '../../shared/contract/lineage.ts';
import { sqlmeshFieldErrors } from '../../shared/domain/lineage/sources/sqlmesh/export.ts';

it('refuses blank names where they would become a scope (C-DECLARED-3)', () => {
  const own = { workspace_id: 'w', connector_id: 'c' };
  const of = (name: string) =>
    [
      [DatahubAcquisition, { ...own, export: {}, import_source: name }],
      [SqlmeshAcquisition, { ...own, project: {}, project_id: name }],
      [DbtAcquisition, { ...own, manifest: {}, project_id: name }],
    ] as const;
  for (const name of [' ', '\t\n', '\u00a0'])
    for (const [schema, body] of of(name))
      expect(v.safeParse(schema, body).issues?.[0]?.message).toBe('must not be blank');
  for (const [schema, body] of of(' a ')) expect(v.is(schema, body)).toBe(true);
  const project = { schema: 'service.sqlmesh-project@v1', environment: ' ', models: [] };
  expect(sqlmeshFieldErrors(project)).toEqual([{ path: '/project/environment', message: 'must not be blank' }]);
});
