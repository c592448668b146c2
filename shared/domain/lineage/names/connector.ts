import * as v from 'valibot';
import { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { type Layer, LayerRules, layerOf } from '../../../contract/layers.ts';
import { connectorKinds } from '../../../contract/vocabulary.ts';
import { type Node, ownerOf, relationRefOf } from '../graph/node.ts';
import { parseNamespace } from './namespace.ts';
import { partModes } from './parts.ts';
import { type Platform, platformOfConnectorKind } from './platforms.ts';

export const literalModes = ['shown', 'masked'] as const;

export const statementColumns = ['derived', 'off'] as const;
export type StatementColumns = (typeof statementColumns)[number];

/** A platform whose relations the workspace knows by name: C-ADMIN-4. */
export const Connector = v.object({
  id: ConnectorId,
  workspace_id: WorkspaceId,
  kind: v.picklist(connectorKinds),
  name: v.string(),
  namespaces: v.array(v.string()),
  default_database: v.nullable(v.string()),
  default_schema: v.nullable(v.string()),
  datahub_env: v.string(),
  datahub_platform_instances: v.array(v.string()),
  observed_retention_days: v.number(),
  shrink_guard: v.object({ mode: v.picklist(['off', 'warn', 'hold']), share: v.number() }),
  /** C-POLICY-16. */
  expression_literals: v.picklist(literalModes),
  /** C-OPENLINEAGE-22. */
  statement_columns: v.optional(v.picklist(statementColumns), 'derived'),
  /** C-IDENTITY-19. A connector that was created before keeps its names: parts are apart. */
  parts: v.optional(v.picklist(partModes)),
  /** C-RELATION-5. */
  layers: v.optional(LayerRules, []),
});
export type Connector = v.InferOutput<typeof Connector>;

const noLayers: LayerRules = [];

export const connectorDefaults = {
  default_database: null,
  default_schema: null,
  datahub_env: 'PROD',
  datahub_platform_instances: [],
  observed_retention_days: 90,
  shrink_guard: { mode: 'warn', share: 0.5 },
  expression_literals: 'shown',
  statement_columns: 'derived',
  layers: noLayers,
} as const;

/** The layer of a node by its connector's rules (C-RELATION-5). */
export function layerOfNode(connectors: ReadonlyMap<ConnectorId, Connector>, node: Node): Layer {
  const owner = ownerOf(node);
  return layerOf(relationRefOf(node), owner === null ? [] : connectors.get(owner)?.layers);
}

/** The namespace that a connector always owns: an export needs one where no other is given. */
export const ownNamespace = (id: ConnectorId): string => `tributary://${id}`;

/** In front of the namespace of their connector: names of exposures are no relations'. */
export const exposuresPrefix = 'tributary:exposures:';

/** The platform that names a connector's relations: its kind's, and for the kind `other` the one that its namespaces tell. */
export function platformOf({ kind, namespaces }: Pick<Connector, 'kind' | 'namespaces'>): Platform {
  const platforms = kind === 'other' ? namespaces.map((one) => parseNamespace(one).naming) : [];
  return platforms.find((naming) => naming !== null) ?? platformOfConnectorKind(kind);
}
