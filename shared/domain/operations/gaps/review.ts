import { createHash } from 'node:crypto';
import type { Gap } from '../../../contract/gaps.ts';
import type { ProviderInstanceId } from '../../../contract/ids.ts';
import type { GapType } from '../../../contract/vocabulary.ts';
import { uuidOf } from '../../uuid-of.ts';
import type { DetectedGap } from './detect-gaps.ts';

/** What becomes of a provider's gaps. */
export type Review = { readonly current: readonly Gap[]; readonly changed: readonly Gap[] };

/**
 * Opens a gap for each detected one that is not yet recorded, resolves those no longer detected, and updates the details of the
 * others. An ignored gap stays ignored until it is resolved. The same input again changes nothing.
 */
export function reviewGaps(
  provider: ProviderInstanceId,
  current: readonly Gap[],
  detected: readonly DetectedGap[],
  now: Date,
): Review {
  const at = now.toISOString();
  const resolved = current
    .filter((gap) => !detected.some(({ type }) => type === gap.gap_type))
    .map((gap): Gap => ({ ...gap, status: 'resolved', resolved_at: at }));
  const next = detected.map(({ type, details }): Gap => {
    const known = current.find((gap) => gap.gap_type === type);
    if (!known) {
      return {
        id: gapId(provider, type, now),
        gap_type: type,
        status: 'open',
        opened_at: at,
        resolved_at: null,
        details,
      };
    }
    return sameDetails(known, details) ? known : { ...known, details };
  });
  return { current: next, changed: [...resolved, ...next.filter((gap) => !current.includes(gap))] };
}

const sameDetails = ({ details: a }: Gap, b: Gap['details']): boolean =>
  a.cadence === b.cadence &&
  a.last_receipt === b.last_receipt &&
  a.backlog === b.backlog &&
  a.normalizer_version === b.normalizer_version &&
  a.reason === b.reason &&
  JSON.stringify(a.namespaces) === JSON.stringify(b.namespaces) &&
  JSON.stringify(a.unresolved) === JSON.stringify(b.unresolved);

/** 48 bits of time, so that ids sort by opening, then bits of a digest: two scans at once agree. */
function gapId(provider: ProviderInstanceId, type: GapType, now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  const digest = createHash('sha256').update(`${provider} ${type} ${time}`).digest();
  return uuidOf(Buffer.concat([Buffer.from(time, 'hex'), digest]));
}
