import * as v from 'valibot';
import { isStorable, storableRule, text } from './fields.ts';
import { Problem } from './problems.ts';

/** Ids that the service mints: no character that could end a part of a storage key. */
const minted = v.regex(/^[A-Za-z0-9_-]{1,64}$/);

export const WorkspaceId = v.pipe(v.string(), minted, v.brand('WorkspaceId'));
export type WorkspaceId = v.InferOutput<typeof WorkspaceId>;

export const ConnectorId = v.pipe(v.string(), minted, v.brand('ConnectorId'));
export type ConnectorId = v.InferOutput<typeof ConnectorId>;

export const CollectionProjectId = v.pipe(v.string(), minted, v.brand('CollectionProjectId'));
export type CollectionProjectId = v.InferOutput<typeof CollectionProjectId>;

export const DeliveryId = v.pipe(v.string(), v.uuid(), v.brand('DeliveryId'));
export type DeliveryId = v.InferOutput<typeof DeliveryId>;

export const ProviderInstanceId = v.pipe(v.string(), v.uuid(), v.brand('ProviderInstanceId'));
export type ProviderInstanceId = v.InferOutput<typeof ProviderInstanceId>;

export const UploadId = v.pipe(v.string(), v.uuid(), v.brand('UploadId'));
export type UploadId = v.InferOutput<typeof UploadId>;

export const GapId = v.pipe(v.string(), v.uuid(), v.brand('GapId'));
export type GapId = v.InferOutput<typeof GapId>;

export const TokenId = v.pipe(v.string(), minted, v.brand('TokenId'));
export type TokenId = v.InferOutput<typeof TokenId>;

export const CheckId = v.pipe(v.string(), minted, v.brand('CheckId'));
export type CheckId = v.InferOutput<typeof CheckId>;

export const WebhookId = v.pipe(v.string(), minted, v.brand('WebhookId'));
export type WebhookId = v.InferOutput<typeof WebhookId>;

export const AccessRequestId = v.pipe(v.string(), minted, v.brand('AccessRequestId'));
export type AccessRequestId = v.InferOutput<typeof AccessRequestId>;

export const AppConfigId = v.pipe(v.string(), minted, v.brand('AppConfigId'));
export type AppConfigId = v.InferOutput<typeof AppConfigId>;

export const UserId = v.pipe(text(255), v.check(isStorable, storableRule), v.brand('UserId'));
export type UserId = v.InferOutput<typeof UserId>;

/** The id where the text is one, else null: an id of another shape belongs to nobody. */
export function idOrNull<S extends v.GenericSchema<string, unknown>>(schema: S, text: string): v.InferOutput<S> | null {
  const parsed = v.safeParse(schema, text);
  return parsed.success ? parsed.output : null;
}

/** The id that the text is. Throws `not_found` for a text of another shape. */
export function idOf<S extends v.GenericSchema<string, unknown>>(schema: S, text: string): v.InferOutput<S> {
  const id = idOrNull(schema, text);
  if (id === null) throw new Problem('not_found');
  return id;
}

/** The id of a run of the event store: a UUID of version 7 (RFC 9562, 5.7), so that ids have the order of their times. */
export function runIdAt(at: Date, randomUuid: string): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUuid.slice(15)}`;
}

/** When a run began, in milliseconds; null for an id of another version. */
export const beginningOf = (runId: string): number | null =>
  runId.charAt(14) === '7' ? Number.parseInt(`${runId.slice(0, 8)}${runId.slice(9, 13)}`, 16) : null;
