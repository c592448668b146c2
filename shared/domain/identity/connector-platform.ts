import type { Connector } from './connector.ts';
import { parseNamespace } from './namespace.ts';
import { type Platform, platformOfConnectorKind } from './platforms.ts';

/** The platform that names a connector's relations: its kind's, and for the kind `other` the one that its namespaces tell. */
export function platformOf({ kind, namespaces }: Pick<Connector, 'kind' | 'namespaces'>): Platform {
  const told = kind === 'other' ? namespaces.map((one) => parseNamespace(one).naming) : [];
  return told.find((naming) => naming !== null) ?? platformOfConnectorKind(kind);
}
