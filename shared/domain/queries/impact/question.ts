import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { Direction, Influence } from '../../../contract/vocabulary.ts';

/** What `GET /v1/lineage/impact` asks: C-IMPACT-1. */
export type ImpactQuestion = {
  readonly workspace: WorkspaceId;
  readonly connectorId: ConnectorId;
  readonly relationRef: string;
  readonly columns: readonly string[];
  readonly direction: Direction;
  readonly maxDepth: number;
  readonly maxNodes: number;
  /** A past time, or null for now. */
  readonly asOf: string | null;
  readonly includeStale: boolean;
  readonly minConfidence: number;
  /** Absent: all. */
  readonly influence?: Influence;
};
