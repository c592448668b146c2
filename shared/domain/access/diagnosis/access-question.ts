import type { WorkspaceId } from '../../../contract/ids.ts';
import type { AdmissionRequest } from '../admission.ts';

/** Whether a caller may do something with the lineage of a connector, and why not. */
export type AccessQuestion = {
  readonly workspace: WorkspaceId;
  readonly connectorId: string;
  readonly admission: AdmissionRequest;
  /** False where an administrator asks for somebody else: which token that user presents is not known. */
  readonly presentsToken: boolean;
};
