import type { Derivation } from '../../graph/derivation.ts';
import { ownerOf, undeclaredReader, urnOf } from '../../graph/node.ts';
import type { ModelColumns } from './base-columns.ts';
import type { Model, ModelProject } from './model-project.ts';

/** What a model's statement reads without a declaration, as edges to a consumer that stands for the model (C-DECLARED-19). */
export function undeclaredReads(
  { namespace, relationNamed, reasons }: ModelProject,
  { id, node, isModel, location }: Model,
  { undeclared = [] }: Pick<ModelColumns, 'undeclared'>,
): Derivation[] {
  const own = node && urnOf(node);
  const named = undeclared.flatMap((read) => (read.length > 1 && relationNamed?.(read, node)) || []);
  const inputs = [...new Map(named.map((input) => [urnOf(input), input])).values()].filter(
    (input) => urnOf(input) !== own,
  );
  const connectorId = inputs[0] && ownerOf(inputs[0]);
  if (!connectorId || !isModel) return [];
  return [
    {
      output: undeclaredReader(connectorId, id),
      inputs,
      columns: [],
      unresolved: [{ outputColumn: null, reason: reasons.readsOutside }],
      producer: { namespace, name: id },
      statementKind: null,
      principal: null,
      location,
    },
  ];
}
