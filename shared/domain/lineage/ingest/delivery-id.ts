import type { ConnectorId, DeliveryId, ProviderInstanceId, WorkspaceId } from '../../../contract/ids.ts';
import type { DeliveryKind } from '../../../contract/vocabulary.ts';
import { jsonDigest } from '../../base/json/canonical-digest.ts';
import { uuidOf } from '../../base/uuid.ts';

/**
 * Ids that follow from what makes a thing the same thing: two requests that mean one delivery write one item,
 * however close together they come (C-INGEST-5, C-INGEST-7).
 */

/** An OpenLineage delivery: by its key in the workspace, else by route, feed and bytes. */
export const openLineageDeliveryId = (
  workspace: WorkspaceId,
  same:
    | { readonly key: string }
    | { readonly kind: DeliveryKind; readonly provider: ProviderInstanceId; readonly digest: string },
): DeliveryId =>
  ('key' in same
    ? derivedUuid('openlineage-key', workspace, same.key)
    : derivedUuid('openlineage-bytes', workspace, same.kind, same.provider, same.digest)) as DeliveryId;

/**
 * A declared delivery: by its key in workspace, connector and tool, else by its content among the deliveries since
 * the scope's last complete snapshot: `epoch` counts those that were accepted.
 */
export const declaredDeliveryId = (
  workspace: WorkspaceId,
  connector: ConnectorId,
  kind: DeliveryKind,
  same: { readonly key: string } | { readonly digest: string; readonly scopeKey: string; readonly epoch: number },
): DeliveryId =>
  ('key' in same
    ? derivedUuid('declared-key', workspace, connector, kind, same.key)
    : derivedUuid(
        'declared-content',
        workspace,
        connector,
        kind,
        same.digest,
        same.scopeKey,
        String(same.epoch),
      )) as DeliveryId;

/** A feed that names itself: the same key is the same feed, whatever connector a later request gives. */
export const keyedProviderId = (workspace: WorkspaceId, providerKey: string): ProviderInstanceId =>
  derivedUuid('provider-key', workspace, providerKey) as ProviderInstanceId;

/** The one feed of a type that a connector, or the workspace without one, has. */
export const plainProviderId = (
  workspace: WorkspaceId,
  providerType: string,
  connector: ConnectorId | null,
): ProviderInstanceId => derivedUuid('provider', workspace, providerType, connector ?? '') as ProviderInstanceId;

/** Of the SHA-256 of the parts, which JSON keeps apart. */
const derivedUuid = (...parts: readonly string[]): string => uuidOf(jsonDigest(parts));
