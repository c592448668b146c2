import { createHash } from 'node:crypto';
import type { Gap } from '../../../contract/gaps.ts';
import type { ProviderInstanceId } from '../../../contract/ids.ts';
import type { GapType } from '../../../contract/vocabulary.ts';
import { uuidOf } from '../../uuid-of.ts';
import type { Sign } from './signs.ts';

/** What becomes of a provider's gaps. */
export type Review = { readonly standing: readonly Gap[]; readonly changed: readonly Gap[] };

/**
 * Opens a gap for each sign that none stands for, resolves those whose sign is gone, and brings the figures of the
 * others up to date. An ignored gap stays ignored until it is over. The same signs again change nothing.
 */
export function reviewGaps(
  provider: ProviderInstanceId,
  standing: readonly Gap[],
  signs: readonly Sign[],
  now: Date,
): Review {
  const at = now.toISOString();
  const resolved = standing
    .filter((gap) => !signs.some(({ type }) => type === gap.gap_type))
    .map((gap): Gap => ({ ...gap, status: 'resolved', resolved_at: at }));
  const next = signs.map(({ type, details }): Gap => {
    const known = standing.find((gap) => gap.gap_type === type);
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
  return { standing: next, changed: [...resolved, ...next.filter((gap) => !standing.includes(gap))] };
}

const sameDetails = ({ details: a }: Gap, b: Gap['details']): boolean =>
  a.cadence === b.cadence &&
  a.last_receipt === b.last_receipt &&
  a.backlog === b.backlog &&
  a.normalizer_version === b.normalizer_version &&
  a.reason === b.reason;

/** 48 bits of time, so that ids sort by opening, then bits of a digest: two scans at once agree. */
function gapId(provider: ProviderInstanceId, type: GapType, now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  const digest = createHash('sha256').update(`${provider} ${type} ${time}`).digest();
  return uuidOf(Buffer.concat([Buffer.from(time, 'hex'), digest]));
}
