import { describe, expect, it } from 'vitest';
import { namespaceForms } from '../../cli/admin/connectors.ts';
import { connectorKinds } from '../../shared/contract/vocabulary.ts';
import { parseNamespace } from '../../shared/domain/lineage/names/namespace.ts';
import { platformOfConnectorKind, platforms } from '../../shared/domain/lineage/names/platforms.ts';

describe('the help for a new connector', () => {
  it('shows a namespace for every kind of database', () => {
    expect(Object.keys(namespaceForms)).toEqual(connectorKinds.filter((kind) => kind !== 'other'));
  });

  it.each(connectorKinds.flatMap((kind) => (kind === 'other' ? [] : [[kind] as const])))(
    'shows a namespace of the platform %s',
    (kind) => {
      const { naming } = parseNamespace(namespaceForms[kind].replace('HOST', 'db.test'));
      // Spark reads the tables of a Hive metastore.
      expect(naming).toBe(kind === 'spark' ? platforms.hive : platformOfConnectorKind(kind));
    },
  );
});
