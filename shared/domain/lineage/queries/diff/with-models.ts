import type { Urn } from '../../graph/node.ts';
import { unnamed } from '../../sql/compare/compare-statements.ts';
import type { Changes, ColumnDifference, ComparedVersions, RelationChange, RelationReason } from './compare.ts';
import { type ComparedModels, concernsRows, type ModelDifference } from './compare-models.ts';
import type { RelationLineage } from './graph-version.ts';

/** Adds what statements and settings say differently to what the graphs of two versions do. */
export function withModels(
  { lineages, ...changes }: ComparedVersions,
  { differences, same }: Pick<ComparedModels, 'differences' | 'same'>,
): Changes {
  const columns = changes.columns.filter(({ change, relation }) => change !== 'changed' || !same.has(relation));
  const kept = changes.relations.flatMap((one) => (same.has(one.relation) ? ofSameStatement(one, columns) : one));
  const known = new Map(kept.map((one) => [one.relation, one]));
  const listed = new Set(columns.map(nameOf));
  for (const difference of differences) {
    const model = withStar(difference, lineages.before.get(difference.relation));
    const { relation, statement } = model;
    const existing = known.get(relation);
    if (existing && existing.change !== 'changed') continue;
    const sources = (side: 'before' | 'after', column: string) => [
      ...(lineages[side].get(relation)?.columns.get(column.toLowerCase())?.sources.values() ?? []),
    ];
    const add = (change: ColumnDifference['change'], names: readonly string[] = []) => {
      for (const column of names) {
        if (listed.has(nameOf({ relation, column }))) continue;
        listed.add(nameOf({ relation, column }));
        const before = change === 'added' ? null : sources('before', column);
        const after = change === 'removed' ? null : sources('after', column);
        columns.push({ change, relation, column, before, after });
      }
    };
    const changed = statement?.kind === 'changed' ? statement : null;
    add('changed', changed?.columns);
    add('removed', changed?.removed);
    add('added', changed?.added);
    // Clauses say what decides the rows; the graph only that it is something else.
    const ofGraph = (existing?.reasons ?? []).filter((reason) => reason !== 'influences_changed' || !changed?.rows);
    const reasons = [...new Set([...ofGraph, ...reasonsOf(model)])];
    known.set(relation, { change: 'changed', relation, reasons, model });
  }
  const altered = new Set(columns.map(({ relation }) => relation));
  return { ...changes, columns, relations: [...known.values()].map((one) => withColumnReason(one, altered)) };
}

/** A statement that means the same has the same sources, however they were known when it was recorded. */
function ofSameStatement(one: RelationChange, columns: readonly ColumnDifference[]): RelationChange[] {
  if (one.change !== 'changed') return [one];
  const isAltered = columns.some(({ relation }) => relation === one.relation);
  const reasons = one.reasons.filter(
    (reason) =>
      reason === 'no_longer_made' || reason === 'columns_unknown' || (reason === 'columns_changed' && isAltered),
  );
  return reasons.length > 0 ? [{ ...one, reasons }] : [];
}

/** What was added beside a star is nothing else only if the columns of the star are known, and have other names. */
function withStar(model: ModelDifference, before: RelationLineage | undefined): ModelDifference {
  const { statement } = model;
  if (statement?.kind !== 'changed' || !statement.isBesideStar) return model;
  const isKnown = before !== undefined && before.unknown === null && before.columns.size > 0;
  if (isKnown && statement.added.every((name) => !before.columns.has(name.toLowerCase()))) return model;
  const differences = statement.differences.length > 0 ? statement.differences : [unnamed];
  return { ...model, statement: { ...statement, rows: true, added: [], differences } };
}

const nameOf = ({ relation, column }: Pick<ColumnDifference, 'relation' | 'column'>): string =>
  JSON.stringify([relation, column.toLowerCase()]);

function withColumnReason(one: RelationChange, altered: ReadonlySet<Urn>): RelationChange {
  if (one.change !== 'changed' || !altered.has(one.relation) || one.reasons.includes('columns_changed')) return one;
  const others = one.reasons.filter((reason) => reason !== 'formatting_only');
  return { ...one, reasons: [...others, 'columns_changed'] };
}

function reasonsOf({ statement, settings }: ModelDifference): RelationReason[] {
  const ofSettings = [
    ...new Set(settings.map(({ rows }) => (rows ? 'configuration_changed' : 'materialization_changed'))),
  ] satisfies RelationReason[];
  switch (statement?.kind) {
    case undefined:
      return ofSettings;
    case 'same':
      return ofSettings.length > 0 ? ofSettings : ['formatting_only'];
    case 'not_compared':
      return [statement.reason === 'seed_changed' ? 'seed_changed' : 'statement_not_compared', ...ofSettings];
    case 'changed':
      return [...statement.differences.map(({ kind }) => kind), ...ofSettings];
  }
}

/** Whether a change of a relation's content is certain or possible, so that it is never safe. */
export const altersContents = (model: ModelDifference | undefined): boolean =>
  model !== undefined &&
  (concernsRows(model) || (model.statement?.kind === 'changed' && model.statement.columns.length > 0));
