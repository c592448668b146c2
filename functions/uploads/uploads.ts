import type { uploadRoutes } from '../../shared/contract/routes/uploads.ts';
import type { DeclaredIntakePorts } from '../../shared/domain/ingest/ports.ts';
import { announceUpload } from '../../shared/domain/ingest/uploads/announce-upload.ts';
import type { UploadPorts } from '../../shared/domain/ingest/uploads/ports.ts';
import { findUpload } from '../../shared/domain/ingest/uploads/read-upload.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { acceptUpload } from './accept-upload.ts';

/** Serves the routes of uploads: the bytes go the way that they would have gone through their direct route. */
export const uploadImplementations = (
  ports: DeclaredIntakePorts & UploadPorts,
): Implementations<typeof uploadRoutes> => ({
  createUpload: async ({ workspace, body }) => ({
    status: 201 as const,
    body: await announceUpload(ports, workspace, body),
  }),
  completeUpload: async ({ workspace, params, requestId, now }) => {
    const upload = await findUpload(ports, workspace, params.upload_id, now);
    return { status: 202, body: await acceptUpload(ports, { ...upload, requestId }) };
  },
});
