import type { CompactedObject, LakeObject } from '../../../contract/lake.ts';
import type { EventLake, EventLedger } from '../store/ports.ts';

export type CompactedLake = {
  /** What runs have staged, and neither published nor given up. */
  readonly stagedObjects: () => AsyncIterable<LakeObject>;
  /** The objects of runs, those of a partition one after another. */
  readonly runObjects: () => AsyncIterable<LakeObject>;
  readonly compactedIn: (partition: string) => Promise<readonly CompactedObject[]>;
  /** Null where the object is gone. */
  readonly readRun: (object: LakeObject) => Promise<Uint8Array | null>;
  readonly removeRun: (object: LakeObject) => Promise<void>;
  /** Writes the object by one request: it is there as a whole or not at all. */
  readonly writeCompacted: (object: CompactedObject, bytes: Uint8Array) => Promise<void>;
};

/** Held by whoever moves or removes stored rows. */
export type LakeLease = {
  /** False where somebody else holds it; who holds it takes it for longer. */
  readonly take: (now: Date) => Promise<boolean>;
  readonly release: () => Promise<void>;
};

export type CompactPorts = {
  readonly ledger: Pick<EventLedger, 'settleRun'>;
  readonly lake: CompactedLake & Pick<EventLake, 'staged' | 'publish' | 'unstage'>;
  /** A partition's failure keeps no other one from being compacted. */
  readonly onPartitionFailed: (partition: string, error: unknown) => void;
};
