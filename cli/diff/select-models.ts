// What to build of a branch: the models whose relations a comparison names, as a selector of dbt or as the files that hold them.
import * as v from 'valibot';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { CommandError, exitCodes } from '../outcome.ts';
import { printable } from '../terminal/terminal.ts';

export const selections = ['dbt', 'state'] as const;
export type Selection = (typeof selections)[number];

const Node = v.looseObject({
  resource_type: v.string(),
  name: v.string(),
  fqn: v.optional(v.array(v.string())),
  original_file_path: v.optional(v.string()),
  database: v.nullish(v.string()),
  schema: v.nullish(v.string()),
  alias: v.nullish(v.string()),
  config: v.optional(v.looseObject({ materialized: v.nullish(v.string()) })),
});
type Node = v.InferOutput<typeof Node>;
const Nodes = v.object({ nodes: v.record(v.string(), v.unknown()) });

/**
 * The selected models of the branch's manifest, a line each. `sides` are the manifests that name relations: the
 * branch's, and that of the base if the branch is built elsewhere.
 */
export function selectedModels(diff: LineageDiff, sides: readonly unknown[], as: Selection): readonly string[] {
  expectWhole(diff);
  const [branch = new Map<string, Node>(), ...others] = sides.map(buildableNodes);
  const ids = new Map([...others, branch].flatMap((nodes) => [...nodes].map(([id, node]) => [refOf(node), id])));
  const names = relationsToBuild(diff);
  const changed = [...names].map((ref) => ids.get(ref) ?? idByTable(branch, ref));
  // A new model that reads nothing has no edge, so that no report lists it.
  const added = others.length > 0 ? [...branch.keys()].filter((id) => !others.some((base) => base.has(id))) : [];
  const nodes = new Set([...changed, ...added].flatMap((id) => branch.get(id) ?? []));
  const lines = [...nodes].map((node) => (as === 'state' ? (node.original_file_path ?? node.name) : selectorOf(node)));
  return [...new Set(lines.map(printable))].sort();
}

/** Relations that hold other rows or columns after the change: those that it changes, and those downstream that may. */
function relationsToBuild({ relations, columns }: LineageDiff): ReadonlySet<string> {
  const changed = relations.filter(({ change, reasons }) => {
    const isWrittenOtherwise = reasons.length > 0 && reasons.every((reason) => reason === 'formatting_only');
    return change !== 'removed' && !isWrittenOtherwise;
  });
  const affected = [...relations, ...columns].flatMap(({ breaks }) => breaks);
  return new Set([...changed, ...columns, ...affected].map(({ relation_ref }) => relation_ref.toLowerCase()));
}

/** CI builds nothing but the selection, so it must not miss a model. */
function expectWhole({ not_evaluated, truncated, relations, columns }: LineageDiff): void {
  const isCut = truncated.any || [...relations, ...columns].some(({ unexplored }) => unexplored > 0);
  if (!isCut && not_evaluated === null) return;
  throw new CommandError(
    exitCodes.notFound,
    not_evaluated?.message ?? 'The comparison was cut, so not all that differs is known.',
    ['Build what dbt itself finds, and everything downstream: dbt build --select state:modified+ --state DIR'],
  );
}

const isInlined = ({ config }: Node): boolean => config?.materialized === 'ephemeral';
const built: readonly string[] = ['model', 'seed', 'snapshot'];

function buildableNodes(manifest: unknown): Map<string, Node> {
  const { nodes } = v.parse(Nodes, manifest);
  return new Map(
    Object.entries(nodes).flatMap(([id, value]) => {
      const node = v.safeParse(Node, value);
      const isBuilt = node.success && built.includes(node.output.resource_type) && !isInlined(node.output);
      return isBuilt ? [[id, node.output] as const] : [];
    }),
  );
}

const refOf = ({ database, schema, alias, name }: Node): string =>
  [database, schema, alias ?? name].filter(Boolean).join('.').toLowerCase();

/** A service may know a relation by the name of another environment: its last part still names the model. */
function idByTable(nodes: ReadonlyMap<string, Node>, ref: string): string {
  const table = ref.slice(ref.lastIndexOf('.') + 1);
  const alike = [...nodes].filter(([, { alias, name }]) => (alias ?? name).toLowerCase() === table);
  return alike.length === 1 ? (alike[0]?.[0] ?? '') : '';
}

/** Its path of folders and name, which no other node of dbt has. */
const selectorOf = ({ fqn, name }: Node): string => (fqn && fqn.length > 0 ? `fqn:${fqn.join('.')}` : name);
