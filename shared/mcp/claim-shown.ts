import * as v from 'valibot';
import { type Claim, claimKinds } from '../contract/claim.ts';
import { claimSentence } from '../contract/claim-words.ts';

/** A claim as tools return it. */
export const ClaimShown = v.object({
  kind: v.picklist(claimKinds),
  sentence: v.string(),
  evidence_until: v.nullable(v.string()),
});

export const claimShown = (claim: Claim): v.InferOutput<typeof ClaimShown> => ({
  kind: claim.kind,
  sentence: claimSentence(claim),
  evidence_until: claim.evidence_until,
});
