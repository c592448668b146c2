import * as v from 'valibot';
import { ConnectorId, type ProviderInstanceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import {
  documentTypeClasses,
  type EvidenceClass,
  evidenceClasses,
  feedTypeClasses,
} from '../../../contract/vocabulary.ts';
import { defaultWeights } from '../policy/policy.ts';

/** A registered `provider_key`: the type of the feed whose events carry it (C-FEED-1). */
export const Feed = v.object({
  connector_id: ConnectorId,
  provider_key: v.string(),
  provider_type: v.string(),
  class: v.picklist(evidenceClasses),
  display_name: v.string(),
  created_at: v.string(),
  created_by: v.string(),
});
export type Feed = v.InferOutput<typeof Feed>;

/** The registered feeds of a workspace by the id of their provider instance. */
export const Feeds = v.record(v.string(), Feed);
export type Feeds = Readonly<Record<string, Feed>>;

/** What evidence is stored with: all of OpenLineage's has one type, so that registering a key rewrites nothing. */
type Stored = { readonly providerType: string; readonly providerInstanceId: ProviderInstanceId | string };

/** Evidence with the type that its feed is registered with, if it is. */
export function asRegistered<T extends Stored>(feeds: Feeds | undefined, stored: T): T {
  const feed = feeds?.[stored.providerInstanceId];
  return feed === undefined ? stored : { ...stored, providerType: feed.provider_type };
}

export const classOf = (feeds: Feeds | undefined, { providerInstanceId, providerType }: Stored): EvidenceClass =>
  feeds?.[providerInstanceId]?.class ??
  documentTypeClasses.get(providerType) ??
  feedTypeClasses.get(providerType) ??
  'runtime';

/** Throws `validation_error` unless each weight is of a class, or of a type that evidence of the workspace can have. */
export function requireKnownTypes(feeds: Feeds | undefined, weights: Readonly<Record<string, number>>): void {
  const own = new Set(Object.values(feeds ?? {}).map(({ provider_type }) => provider_type));
  const isKnown = (name: string) =>
    name in defaultWeights || documentTypeClasses.has(name) || feedTypeClasses.has(name) || own.has(name);
  const errors = Object.keys(weights)
    .filter((name) => !isKnown(name))
    .map((name) => ({ path: `/fusion_weights/${name}`, message: 'must be a class, or a type that evidence has' }));
  if (errors.length > 0) throw new Problem('validation_error', { errors });
}
