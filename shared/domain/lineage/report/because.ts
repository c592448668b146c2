import type { LineageDiff } from '../../../contract/diff.ts';

type Relation = LineageDiff['relations'][number];
/** How names and SQL are shown, as text or as markup. */
export type Quote = (text: string) => string;

const mostListed = 5;

/** Why a relation changes, in words, with both versions of each changed clause. */
export function becauseOf({ reasons, model }: Pick<Relation, 'reasons' | 'model'>, quote: Quote): string {
  const clauses = (model?.differences ?? []).slice(0, mostListed).map((one) => clauseWords(one, quote));
  const settings = (model?.settings ?? []).slice(0, mostListed).map((one) => settingWords(one, quote));
  const explained = new Set([
    ...(model?.differences ?? []).map(({ kind }): string => kind),
    ...(settings.length > 0 ? ['configuration_changed'] : []),
    ...(model?.not_compared ? ['statement_not_compared'] : []),
  ]);
  const others = reasons.filter((reason) => !explained.has(reason)).map(words);
  const unlisted = (model?.unlisted ?? 0) + Math.max(0, (model?.differences ?? []).length - mostListed);
  const isKnown = reasons.some((reason) => reason === model?.not_compared);
  return [
    ...others,
    ...(model?.not_compared && !isKnown ? [`statement not compared (${words(model.not_compared)})`] : []),
    ...clauses,
    ...(unlisted > 0 ? [`and ${unlisted} more clauses`] : []),
    ...settings,
  ].join('; ');
}

/** The clauses of a column in both versions, else those that name no column, as in a CTE; empty if the statements show none. */
export function columnBecause(diff: Pick<LineageDiff, 'relations'>, quote: Quote) {
  const models = new Map(diff.relations.map(({ relation_ref, model }) => [relation_ref, model]));
  return ({ relation_ref, column }: { readonly relation_ref: string; readonly column: string }): string => {
    const model = models.get(relation_ref);
    const all = model?.differences ?? [];
    const own = all.filter((one) => one.column?.toLowerCase() === column.toLowerCase());
    const inner = model?.rows ? [] : all.filter((one) => one.column === null).slice(0, mostListed);
    return (own.length > 0 ? own : inner).map((one) => clauseWords({ ...one, column: null }, quote)).join('; ');
  };
}

const ofColumns: ReadonlySet<string> = new Set(['columns_changed', 'formula_changed', 'window_changed']);

/** Whether a relation says no more than its columns do, which would then tell everything twice. */
export const saysColumnsOnly = (reasons: readonly string[], model: { readonly rows: boolean } | null): boolean =>
  reasons.includes('columns_changed') && reasons.every((reason) => ofColumns.has(reason)) && !model?.rows;

/** The relations that say more than their listed columns do. */
export function informativeRelations({
  relations,
  columns,
}: Pick<LineageDiff, 'relations' | 'columns'>): readonly Relation[] {
  const withColumns = new Set(columns.map(({ relation_ref }) => relation_ref));
  return relations.filter(
    ({ relation_ref, reasons, model }) => !saysColumnsOnly(reasons, model) || !withColumns.has(relation_ref),
  );
}

const words = (code: string): string => code.replaceAll('_', ' ');

type Clause = NonNullable<Relation['model']>['differences'][number];

function clauseWords({ kind, column, before, after }: Clause, quote: Quote): string {
  const what = column === null ? words(kind) : `${words(kind)} of ${quote(column)}`;
  if (before === null && after === null) return what;
  if (before === null) return `${what}: now ${quote(after ?? '')}`;
  if (after === null) return `${what}: no longer ${quote(before)}`;
  const masked = before === after ? ' (literals are masked)' : '';
  return `${what}: ${quote(before)} is now ${quote(after)}${masked}`;
}

type Setting = NonNullable<Relation['model']>['settings'][number];

function settingWords({ name, before, after }: Setting, quote: Quote): string {
  if (before === null && after === null) return `configuration changed: ${quote(name)}`;
  return `configuration changed: ${quote(name)} ${before === null ? 'is set' : `was ${quote(before)}`}${after === null ? ', is not set' : `, is ${quote(after)}`}`;
}
