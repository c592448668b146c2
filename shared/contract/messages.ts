import * as v from 'valibot';
import { DeliveryId, WorkspaceId } from './ids.ts';

/** Asks the projection to work an accepted delivery: ids only, the bytes are read again. */
export const ProjectDelivery = v.object({
  version: v.literal(1),
  workspace_id: WorkspaceId,
  delivery_id: DeliveryId,
});
export type ProjectDelivery = v.InferOutput<typeof ProjectDelivery>;
