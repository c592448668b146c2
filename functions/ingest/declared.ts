import type { intakeRoutes } from '../../shared/contract/routes/ingest.ts';
import { acceptDeclared, type DeclaredReceipt } from '../../shared/domain/ingest/accept-declared.ts';
import type { AcquisitionBody, AcquisitionTool } from '../../shared/domain/ingest/acquisition.ts';
import { payloadOf } from '../../shared/domain/ingest/open-delivery.ts';
import type { DeclaredIntakePorts } from '../../shared/domain/ingest/ports.ts';
import type { RequestOf } from '../../shared/runtime/implementation.ts';

/** The declared routes differ in their bodies alone. */
type DocumentRequest<Body> = Omit<RequestOf<typeof intakeRoutes.postDbtManifest>, 'body'> & { readonly body: Body };

/** Serves the route of a declared tool. */
export const declared =
  <Body extends AcquisitionBody, Counts>(ports: DeclaredIntakePorts, tool: AcquisitionTool<Body, Counts>) =>
  async (request: DocumentRequest<Body>): Promise<{ readonly status: 202; readonly body: DeclaredReceipt<Counts> }> => {
    const { workspace, body, documentDigest, headers, bytes, contentType, contentEncoding, requestId } = request;
    const payload = payloadOf(ports, { bytes, contentType: contentType ?? 'application/json', contentEncoding });
    const idempotencyKey = headers['idempotency-key'] ?? null;
    const asked = { workspace, body, documentDigest, idempotencyKey, payload, requestId };
    return { status: 202, body: await acceptDeclared(ports, tool, asked) };
  };
