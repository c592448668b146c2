import * as v from 'valibot';
import { Connector, connectorDefaults } from '../../../shared/domain/lineage/names/connector.ts';

/** A connector with defaults for what a test does not care about. */
export const connectorWith = (fields: Partial<Omit<Connector, 'id'>> & { readonly id?: string } = {}): Connector =>
  v.parse(Connector, {
    id: 'warehouse',
    workspace_id: 'acme',
    kind: 'postgres',
    name: 'Warehouse',
    namespaces: [],
    ...connectorDefaults,
    ...fields,
  });
