import { limits } from '../../../contract/limits.ts';
import type { OwnersOf } from '../../report/diff-report.ts';
import type { Finding } from '../../report/findings.ts';
import { bounded, some } from '../../report/shortened.ts';
import { seen } from '../../report/unseen.ts';
import { type FileOf, lineOf, type ModelFile } from './model-files.ts';
import type { Annotation } from './ports.ts';

type Files = { readonly fileOf: FileOf; readonly ownersOf: OwnersOf };
type Impact = Finding['breaks'][number];

const maxTitle = 255;
const listed = { breaks: 50, columns: 50 };
/** Characters of a message: the host takes 64 KiB. */
const maxMessage = 15_000;

/**
 * Annotations at the files of models: of each change that is not safe at the model that it changes, and at each model that
 * it breaks. In an order that depends on the comparison alone; at most as many as a check run has.
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
    ...(breaks.length > 0 ? breaks : ['What it does downstream is not known.']),
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
  title: seen(title.slice(0, maxTitle)),
  message: bounded(message.map(seen), 'effects', maxMessage).join('\n'),
});

const nameOf = ({ relation_ref, column }: Finding): string =>
  column === null ? relation_ref : `${relation_ref}.${column}`;

function described({ grade, relation_ref, columns }: Impact, owners: readonly string[]): string {
  const what = `${grade === 'breaking' ? 'Breaks' : 'May break'} ${relation_ref}`;
  const which = columns.length > 0 ? ` (${some(columns, listed.columns, ', ')})` : '';
  return `${what}${which}${owners.length > 0 ? `, owned by ${owners.join(' ')}` : ''}.`;
}
