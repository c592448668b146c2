import { randomUUID } from 'node:crypto';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { uploadStore } from '../../shared/adapters/dynamodb/uploads.ts';
import { uploadPlace } from '../../shared/adapters/s3/uploads.ts';
import type { DeclaredPorts } from '../../shared/domain/intake/ports.ts';
import type { UploadPorts } from '../../shared/domain/uploads/ports.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { intakePorts } from '../../shared/runtime/intake-ports.ts';

/** What uploads work with in a deployed function: acceptance, and where bytes are put. */
export function uploadPorts(): DeclaredPorts & UploadPorts {
  const { TABLE_NAME, RAW_BUCKET } = environment('TABLE_NAME', 'RAW_BUCKET');
  return {
    ...intakePorts(),
    newId: randomUUID,
    uploads: uploadStore({ client: dynamodb(), name: TABLE_NAME }),
    place: uploadPlace({ client: s3(), name: RAW_BUCKET }),
  };
}
