// Models that add to the table that they have: a run that is no full refresh may fail, or leave new columns out.
import type { Urn } from '../../graph/node.ts';
import type { Model } from '../../sources/models/model-project.ts';
import { addsToTable, ownWords } from '../../sources/models/own-columns.ts';
import type { Changes, ColumnDifference } from './compare.ts';
import type { ComparedPair } from './compare-models.ts';

/** Marks the columns that come or go where the table does not follow (C-DIFF-3). */
export function withHeldColumns({ columns, edges, ...changes }: Changes, pairs: readonly ComparedPair[]): Changes {
  const models = new Map(
    pairs.flatMap(({ relation, before, after }) =>
      addsToTable(before.model) && kindOf(before.model) === kindOf(after.model)
        ? [[relation, after.model] as const]
        : [],
    ),
  );
  const isRead = (relation: Urn, column: string) =>
    edges.some(
      ({ from, columnsAdded }) =>
        from === relation && columnsAdded.some(({ inputColumn }) => inputColumn.toLowerCase() === column),
    );
  const isHeld = ({ change, relation, column }: ColumnDifference): boolean => {
    const [model, name] = [models.get(relation), column.toLowerCase()];
    if (!model || change === 'changed') return false;
    const onChange = model.settings?.onSchemaChange ?? '';
    if (change === 'removed') return refusing.has(onChange) || ownWords(model).has(name);
    return onChange === 'fail' || (onChange === 'ignore' && isRead(relation, name));
  };
  return { ...changes, edges, columns: columns.map((one) => (isHeld(one) ? { ...one, isHeld: true } : one)) };
}

/** Under these a run fails whose statement lacks a column of the table. */
const refusing: ReadonlySet<string> = new Set(['ignore', 'fail']);
const kindOf = ({ settings }: Model): string => settings?.materialized ?? '';
