import { type Urn, urnOf } from '../../graph/node.ts';
import { boundedSchema, type RelationSchema, type SchemaColumn } from '../../graph/schema.ts';
import type { KnownColumns } from '../../sql/types.ts';
import { listedStar, type ModelColumns } from './base-columns.ts';
import type { ExternalRelation, Model, TypedColumn } from './model-project.ts';

/** What a project states of the columns of a relation; nothing where it names none. */
type Stated = readonly (readonly [Urn, RelationSchema])[];

/** The columns of a relation that the project reads: its list, else what documentation names. */
export function externalSchema({ node, columns, documentedColumns }: ExternalRelation): Stated {
  return stated(urnOf(node), columns ?? documentedColumns ?? [], [], columns !== null);
}

/**
 * The columns of a model: the list that the document has of them, else those that its statement was found to give. What
 * it passes on of relations whose columns are not known stays open to a schema of those.
 */
export function modelSchema(model: Model, { outputs }: ModelColumns, made: KnownColumns | null): Stated {
  if (model.node === null) return [];
  const types = new Map((model.columns ?? []).concat(model.documentedColumns ?? []).map(typed));
  const urn = urnOf(model.node);
  if (made?.complete) return stated(urn, withTypes(made.names, types), [], true);
  if (model.columns) return stated(urn, model.columns, [], true);
  const open = outputs.filter(({ column }) => column === null);
  const stars = open.flatMap((output) => listedStar(output) ?? []);
  const documented = (model.documentedColumns ?? []).map(({ name }) => name);
  const names = distinctNames([...(made?.names ?? []), ...documented]);
  return stated(urn, withTypes(names, types), stars, made !== null && stars.length === open.length);
}

const typed = ({ name, type }: TypedColumn) => [name.toLowerCase(), type] as const;

const withTypes = (names: readonly string[], types: ReadonlyMap<string, string | null>): SchemaColumn[] =>
  names.map((name) => ({ name, type: types.get(name.toLowerCase()) ?? null }));

function stated(urn: Urn, columns: readonly SchemaColumn[], stars: RelationSchema['stars'], complete: boolean): Stated {
  if (columns.length === 0 && stars.length === 0) return [];
  return [[urn, boundedSchema({ columns: columns.map(({ name, type }) => ({ name, type })), stars, complete })]];
}

/** Each name once, whatever its case. */
export function distinctNames(names: readonly string[]): string[] {
  return [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].reverse();
}
