import * as v from 'valibot';
import { Connector } from '../identity/connector.ts';

/** The settings of a connector that decide how relations are named, and which are its own. */
export const Naming = v.pick(Connector, [
  'kind',
  'namespaces',
  'default_database',
  'default_schema',
  'datahub_env',
  'datahub_platform_instances',
]);
export type Naming = v.InferOutput<typeof Naming>;

export const namingOf = (connector: Connector): Naming => v.parse(Naming, connector);

/** Of a connector that the graph does not know yet: it owns no namespace, and no DataHub environment has an empty name. */
const ownsNothing = { namespaces: [], datahub_env: '' };

/** The namings by which the graph that answers was made, of connectors that have other settings by now; null: it had none. */
export type HeldNamings = Readonly<Record<string, Naming | null>>;

/** The connectors as the graph knows them. */
export const inForce = (connectors: readonly Connector[], held: HeldNamings): readonly Connector[] =>
  connectors.map((one) => (one.id in held ? { ...one, ...(held[one.id] ?? ownsNothing) } : one));
