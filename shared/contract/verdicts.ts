import * as v from 'valibot';
import { count, severalOf } from './fields.ts';
import { declaredOnlyReasons, verdicts } from './vocabulary.ts';

const verdict = v.picklist(verdicts);

/** C-VERDICT-1. */
export const judgement = {
  /** Null if no admitted evidence is left. */
  verdict: v.nullable(verdict),
  /** Why no run confirms the declaration; null of any other verdict. */
  verdict_reason: v.nullable(v.picklist(declaredOnlyReasons)),
};

/** How many edges have each verdict. */
export const VerdictCounts = v.object(v.entriesFromList(verdicts, count));

/** C-VERDICT-5. */
export const verdictFilter = { verdict: severalOf(verdict) };
