import type { CheckSettings } from '../../../contract/codehost-checks.ts';
import type { LineageDiff } from '../../../contract/diff.ts';
import { jsonDigest } from '../../json/json-digest.ts';
import { counted, diffReport, type OwnersOf } from '../../report/diff-report.ts';
import { findingsOf, unknownsOf } from '../../report/findings.ts';
import { code } from '../../report/markdown.ts';
import { annotationsOf } from './annotations.ts';
import type { FileOf } from './model-files.ts';
import type { Annotation } from './ports.ts';

/** What a check run says. */
export type Verdict = {
  /** Tells one verdict from another of the same commit. */
  readonly digest: string;
  readonly conclusion: 'success' | 'neutral' | 'failure';
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
};

type Judged = {
  readonly diff: LineageDiff;
  readonly commit: string;
  readonly fileOf: FileOf;
  readonly ownersOf: OwnersOf;
};

/** The verdict on a comparison. Where something is not known it is no success, whatever was found. */
export function verdictOf(
  { diff, commit, fileOf, ownersOf }: Judged,
  onBreaking: CheckSettings['on_breaking'],
): Verdict {
  const heading = `Lineage of ${code(commit.slice(0, 12))}: ${counted(diff)}.`;
  if (diff.not_evaluated) return noVerdict('Nothing was compared', diffReport(diff, { heading }));
  const findings = findingsOf(diff);
  const isKnown = unknownsOf(diff).length === 0;
  const safe = isKnown ? 'success' : 'neutral';
  return withDigest({
    conclusion: diff.grade === 'breaking' ? onBreaking : diff.grade === 'risky' ? 'neutral' : safe,
    title: titleOf(diff, isKnown),
    summary: diffReport(diff, { heading, ownersOf }),
    annotations: annotationsOf({ fileOf, ownersOf }, findings),
  });
}

function titleOf({ grade, summary: { grades } }: LineageDiff, isKnown: boolean): string {
  const partly = isKnown ? '' : '; not everything is known';
  if (grade === 'breaking') return `${grades.breaking} breaking and ${grades.risky} risky changes${partly}`;
  if (grade === 'risky') return `${grades.risky} risky changes${partly}`;
  return isKnown ? 'Nothing downstream breaks' : 'No break was found, but not everything is known';
}

/** The verdict while there is nothing to compare, or it cannot be read. */
export const noVerdict = (title: string, why: string): Verdict =>
  withDigest({ conclusion: 'neutral', title, summary: why, annotations: [] });

const withDigest = (verdict: Omit<Verdict, 'digest'>): Verdict => ({
  ...verdict,
  digest: jsonDigest(verdict).toString('hex').slice(0, 32),
});
