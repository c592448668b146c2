import { claimSentence, headlineOf } from '../../../contract/claim-words.ts';
import type { CheckSettings } from '../../../contract/codehost-checks.ts';
import type { LineageDiff } from '../../../contract/diff.ts';
import { beginningInUnits } from '../../../contract/fields.ts';
import { limits } from '../../../contract/limits.ts';
import { jsonDigest } from '../../base/digest.ts';
import {
  bounded,
  code,
  diffReport,
  type Finding,
  findingsOf,
  type OwnersOf,
  seen,
  some,
} from '../../lineage/report/diff-report.ts';
import type { Annotation, CheckReport } from '../code-host.ts';
import { type FileOf, lineOf, type ModelFile } from './model-files.ts';

type Judged = {
  readonly diff: LineageDiff;
  readonly commit: string;
  readonly fileOf: FileOf;
  readonly ownersOf: OwnersOf;
};

/** The check's report on a comparison. Where something is not known it is no success, whatever was found. */
export function checkReportOf(
  { diff, commit, fileOf, ownersOf }: Judged,
  onBreaking: CheckSettings['on_breaking'],
): CheckReport {
  const heading = `Lineage of ${code(commit.slice(0, 12))}: ${headlineOf(diff)}`;
  if (diff.not_evaluated) return unevaluatedReport('Not compared', diffReport(diff, { heading }));
  const concluded = {
    breaks: onBreaking,
    may_break: 'neutral',
    nothing_known_breaks: 'success',
    not_evaluated: 'neutral',
  };
  return withDigest({
    conclusion: concluded[diff.claim.kind] as CheckReport['conclusion'],
    title: claimSentence(diff.claim),
    summary: diffReport(diff, { heading, ownersOf }),
    annotations: annotationsOf({ fileOf, ownersOf }, findingsOf(diff)),
  });
}

/** The report while there is nothing to compare, or it cannot be read. */
export const unevaluatedReport = (title: string, why: string): CheckReport =>
  withDigest({ conclusion: 'neutral', title, summary: why, annotations: [] });

const withDigest = (report: Omit<CheckReport, 'digest'>): CheckReport => ({
  ...report,
  digest: jsonDigest(report).toString('hex').slice(0, 32),
});

type Files = { readonly fileOf: FileOf; readonly ownersOf: OwnersOf };
type Impact = Finding['breaks'][number];

const maxTitle = 255;
const listed = { breaks: 50, columns: 50 };
/** Characters of a message: the host takes 64 KiB. */
const maxMessage = 15_000;

/**
 * Annotations at the files of models: of each change that is not safe at the model that it changes, and at each model that
 * it breaks. In an order that depends only on the comparison; at most as many as a check run has.
 */
export function annotationsOf(files: Files, findings: readonly Finding[]): readonly Annotation[] {
  const all = findings
    .filter(({ grade }) => grade !== 'safe')
    .flatMap((one) => [...atChange(files, one), ...atBroken(files, one)]);
  const unique = new Map(all.map((one) => [JSON.stringify([one.path, one.line, one.title]), one]));
  return [...unique.values()].slice(0, limits.codehost.annotations.total);
}

const levels = { breaking: 'failure', risky: 'warning', safe: 'notice' } as const;

function atChange({ fileOf, ownersOf }: Files, finding: Finding): Annotation[] {
  const file = fileOf(finding.relation_ref);
  if (file === null) return [];
  const breaks = finding.breaks.slice(0, listed.breaks).map((one) => described(one, ownersOf(one.relation_ref)));
  const more = finding.breaks.length - breaks.length;
  const message = [
    ...(finding.because === '' ? [] : [`Because: ${finding.because}.`]),
    ...(breaks.length > 0 ? breaks : ['Its downstream impact is not known.']),
    ...(more > 0 ? [`And ${more} more.`] : []),
  ];
  const title = `${finding.grade}: ${nameOf(finding)} is ${finding.change}`;
  return [{ ...placeOf(file, finding), level: levels[finding.grade], ...texts(title, message) }];
}

function atBroken({ fileOf, ownersOf }: Files, finding: Finding): Annotation[] {
  return finding.breaks.flatMap((one) => {
    const file = one.grade === 'breaking' ? fileOf(one.relation_ref) : null;
    if (file === null) return [];
    const message = [described(one, ownersOf(one.relation_ref)), `${nameOf(finding)} is ${finding.change}.`];
    const title = `breaking: by ${nameOf(finding)}`;
    return [{ ...placeOf(file, finding), level: levels.breaking, ...texts(title, message) }];
  });
}

const placeOf = (file: ModelFile, { column }: Finding) => ({ path: file.path, line: lineOf(file, column) });

/** The host shows both as they are: no markup, but what is not seen misleads there too. */
const texts = (title: string, message: readonly string[]) => ({
  title: seen(beginningInUnits(title, maxTitle)),
  message: bounded(message.map(seen), 'effects', maxMessage).join('\n'),
});

const nameOf = ({ relation_ref, column }: Finding): string =>
  column === null ? relation_ref : `${relation_ref}.${column}`;

function described({ grade, relation_ref, columns }: Impact, owners: readonly string[]): string {
  const what = `${grade === 'breaking' ? 'Breaks' : 'May break'} ${relation_ref}`;
  const which = columns.length > 0 ? ` (${some(columns, listed.columns, ', ')})` : '';
  return `${what}${which}${owners.length > 0 ? `, owned by ${owners.join(' ')}` : ''}.`;
}
