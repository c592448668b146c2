import type { Connector } from '../identity/connector.ts';
import { exceedsShrinkGuard, type Retraction } from './listing.ts';
import { snapshotShrank, type Warning } from './ports.ts';

type Guarded = {
  readonly shrinkGuard: Connector['shrink_guard'];
  /** An administrator let a held snapshot pass. */
  readonly released: boolean;
};

/** Whether a snapshot that retracts this much is held, and what its delivery warns of. */
export function shrinkGuardResult(
  { shrinkGuard, released }: Guarded,
  retraction: Retraction,
): { readonly held: boolean; readonly warnings: readonly Warning[] } {
  if (shrinkGuard.mode === 'off' || !exceedsShrinkGuard(retraction, shrinkGuard.share))
    return { held: false, warnings: [] };
  const message = retraction.losesAllColumns
    ? 'The snapshot retracts all column evidence of its scope while tables remain.'
    : 'The snapshot retracts more of its scope than the shrink guard lets pass in silence.';
  const warnings: Warning[] = [{ code: snapshotShrank, message }];
  return { held: shrinkGuard.mode === 'hold' && !released, warnings };
}
