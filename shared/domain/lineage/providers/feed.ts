import * as v from 'valibot';
import type { WeightChange } from '../../../contract/policy.ts';
import { Problem } from '../../../contract/problems.ts';
import { ProviderKey } from '../../../contract/providers.ts';
import { type EvidenceClass, providerTypeClasses } from '../../../contract/vocabulary.ts';
import { defaultWeights } from '../policy/policy.ts';

/** The registered feeds of a workspace by the id of their provider instance (C-FEED-1). */
export const Feeds = v.record(v.string(), v.omit(ProviderKey, ['id', 'workspace_id']));
export type Feeds = Readonly<Record<string, Feed>>;
export type Feed = v.InferOutput<typeof Feeds>[string];

/** What evidence is stored with: all of OpenLineage's has one type, so that registering a key rewrites nothing. */
type Stored = { readonly providerType: string; readonly providerInstanceId: string };

/** Evidence with the type that its feed is registered with, if it is. */
export function asRegistered<T extends Stored>(feeds: Feeds | undefined, stored: T): T {
  const feed = feeds?.[stored.providerInstanceId];
  return feed === undefined ? stored : { ...stored, providerType: feed.provider_type };
}

export const classOf = (feeds: Feeds | undefined, { providerInstanceId, providerType }: Stored): EvidenceClass =>
  feeds?.[providerInstanceId]?.class ?? providerTypeClasses.get(providerType) ?? 'runtime';

/** Throws `validation_error` unless each weight is of a class, or of a type that evidence of the workspace can have. */
export function requireKnownTypes(feeds: Feeds = {}, weights: WeightChange): void {
  const own = Object.values(feeds).map(({ provider_type }) => provider_type);
  const known = new Set([...Object.keys(defaultWeights), ...providerTypeClasses.keys(), ...own]);
  const [unknown] = Object.entries(weights).find(([name, weight]) => weight !== null && !known.has(name)) ?? [];
  if (unknown === undefined) return;
  const message = 'must be a class, or a type that evidence has';
  throw new Problem('validation_error', { errors: [{ path: `/fusion_weights/${unknown}`, message }] });
}
