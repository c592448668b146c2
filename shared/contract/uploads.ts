import * as v from 'valibot';
import { anyId, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { CatalogReceipt, intakeRoutes, LineageDeliveryReceipt, ProjectReceipt } from './lineage.ts';
import { editorAccess, type FunctionRoutes, problemsOf, type Route, servedBy, WorkspaceBody } from './route.ts';
import { declaredKinds, openLineageKinds } from './vocabulary.ts';

const announced = {
  workspace_id: anyId,
  /** Of the bytes as they will be put, compressed where they are. */
  content_length: v.pipe(v.number(), v.integer(), v.minValue(1)),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
};

/** A body that is too large for its direct route, announced; the other fields are what that route takes with it. */
export const UploadRequest = v.variant('kind', [
  v.strictObject({
    ...announced,
    kind: v.picklist(openLineageKinds),
    idempotency_key: v.optional(text(limits.openlineage.idempotencyKey)),
    connector_id: v.optional(anyId),
    provider_key: v.optional(text(limits.openlineage.providerKey)),
  }),
  v.strictObject({
    ...announced,
    kind: v.picklist(declaredKinds),
    idempotency_key: v.optional(text(limits.declared.idempotencyKey)),
    content_encoding: v.optional(v.literal('gzip')),
  }),
]);
export type UploadRequest = v.InferOutput<typeof UploadRequest>;

export const UploadTicket = v.object({
  upload_id: v.string(),
  workspace_id: v.string(),
  method: v.literal('PUT'),
  url: v.pipe(v.string(), v.url()),
  /** Signed with the URL: each must be sent as it is. */
  headers: v.record(v.string(), v.string()),
  /** Until when the PUT may begin. */
  expires_at: timestamp,
  complete_before: timestamp,
});
export type UploadTicket = v.InferOutput<typeof UploadTicket>;

/** The receipt of the route that would have taken the body directly. */
const UploadReceipt = v.union([LineageDeliveryReceipt, CatalogReceipt, ProjectReceipt]);

const direct = [intakeRoutes.postOpenLineageBatch, intakeRoutes.postOpenLineageEvent, intakeRoutes.postDbtManifest];

const upload = {
  method: 'POST',
  access: editorAccess,
} as const satisfies Partial<Route>;

/** Bodies that are too large for one request: put to storage, then accepted as the direct route would. */
export const uploadRoutes = servedBy('uploads', {
  createUpload: {
    ...upload,
    path: '/v1/uploads',
    summary: 'Starts the upload of a large lineage body, and returns the upload URL.',
    body: { kind: 'json', schema: UploadRequest, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'Where to put the bytes.', schema: UploadTicket } },
    problems: ['openlineage_body_too_large'],
  },
  completeUpload: {
    ...upload,
    path: '/v1/uploads/{upload_id}/complete',
    summary: 'Ingests an uploaded body, like its direct route.',
    body: { kind: 'json', schema: WorkspaceBody, maxBytes: limits.json.bodyBytes },
    replies: { 202: { description: 'Durably accepted.', schema: UploadReceipt } },
    problems: ['conflict', ...direct.flatMap(problemsOf)],
  },
} as const satisfies FunctionRoutes);
