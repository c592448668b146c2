import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import type { ConnectorId } from '../../../shared/contract/ids.ts';
import { deriveModelProject } from '../../../shared/domain/lineage/sources/models/derive-model-project.ts';
import type { Model, ModelProject } from '../../../shared/domain/lineage/sources/models/model-project.ts';
import { analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';

const parser = await loadSqlParser();
const ports = {
  analyse: (text: string, options: Parameters<typeof analyseSql>[2]) => analyseSql(parser, text, options),
};

const model = (name: string, more: Partial<Model>): Model => ({
  ...{ id: name, isModel: true, names: [['crm', 'core', name]], dependsOn: [], statementKind: null, addedColumns: [] },
  ...{ node: { kind: 'relation', connectorId: 'con' as ConnectorId, ref: `crm.core.${name}` }, columns: null },
  ...{ statement: { kind: 'none', reason: 'non_sql_model' }, location: '' },
  ...more,
});
const listed = (...names: string[]) => names.map((name) => ({ name, type: null }));

/** A model without SQL, one that reads all of it, and one that reads neither. */
const projectWith = (...columns: string[]): ModelProject => {
  const models = [
    model('py', { columns: listed(...columns) }),
    model('reader', {
      dependsOn: ['py'],
      statement: { kind: 'sql', text: 'select * from crm.core.py', dialects: ['postgres'] },
    }),
    model('apart', { columns: listed('x') }),
  ];
  const reasons = { readsOutside: 'outside', inlinedColumnUnknown: 'unknown', inlinedDependency: null };
  return { root: '', namespace: 'shop', models, sources: [], modelCount: 3, reasons };
};

const settledIn = (before: ModelProject, after: ModelProject) => {
  const { lineage } = deriveModelProject(ports, after, deriveModelProject(ports, before).lineage);
  return lineage.order.filter(lineage.isSettled).map(({ id }) => id);
};

describe('the models of two versions of a project', () => {
  it('are settled if they and what they read are the same', () => {
    expect(settledIn(projectWith('a', 'b'), projectWith('a', 'b'))).toEqual(['py', 'reader', 'apart']);
  });

  it('are not settled if a model without SQL, or one that they read, lists other columns', () => {
    expect(settledIn(projectWith('a', 'b'), projectWith('a'))).toEqual(['apart']);
  });
});
