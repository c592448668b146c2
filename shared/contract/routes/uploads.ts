import { limits } from '../limits.ts';
import type { Route } from '../route.ts';
import { UploadCompletion, UploadParams, UploadReceipt, UploadRequest, UploadTicket } from '../uploads.ts';
import { intakeRoutes } from './ingest.ts';

const upload = {
  method: 'POST',
  function: 'uploads',
  access: { kind: 'member', scope: 'write', role: 'editor', workspace: 'body' },
} as const satisfies Partial<Route>;

/** Bodies that are too large for one request: put to storage, then accepted as the direct route would. */
export const uploadRoutes = {
  createUpload: {
    ...upload,
    path: '/v1/uploads',
    summary: 'Announces a large lineage body, and answers where to put it.',
    body: { kind: 'json', schema: UploadRequest, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'Where to put the bytes.', schema: UploadTicket } },
    problems: ['openlineage_body_too_large', 'rate_limited'],
  },
  completeUpload: {
    ...upload,
    path: '/v1/uploads/{upload_id}/complete',
    summary: 'Accepts an uploaded body as its direct route would.',
    params: UploadParams,
    body: { kind: 'json', schema: UploadCompletion, maxBytes: limits.json.bodyBytes },
    replies: { 202: { description: 'Durably accepted.', schema: UploadReceipt } },
    problems: [
      'conflict',
      ...new Set([...intakeRoutes.postOpenLineageBatch.problems, ...intakeRoutes.postOpenLineageEvent.problems]),
      ...intakeRoutes.postDbtManifest.problems,
    ],
  },
} as const satisfies Record<string, Route>;
