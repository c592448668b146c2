// The differences between a branch and the live graph: models by their statements, relations and columns by their sources.
import { findOrAdd } from '../../../base/collections.ts';
import { type Urn, urnOf } from '../../graph/node.ts';
import type { Derived } from '../../sources/read-body.ts';
import type { SqlParser } from '../../sql/types.ts';
import { type Branch, branchVersion } from './branch.ts';
import { type Changes, compareVersions, nothingSettled } from './compare.ts';
import { type ComparedModels, compareModels } from './compare-models.ts';
import type { GraphVersion, VersionEdge } from './graph-version.ts';
import { withHeldColumns } from './held-columns.ts';
import type { Matching, MatchingSides } from './match-branch.ts';
import { withModels } from './with-models.ts';

export type BranchChanges = {
  readonly models: ComparedModels;
  readonly changes: ReturnType<typeof withModels>;
  readonly before: GraphVersion;
  readonly after: GraphVersion;
  /** The relations that the branch makes. */
  readonly created: ReadonlySet<Urn>;
};

export function branchChanges(
  parser: SqlParser,
  { branch, scope, live }: Omit<MatchingSides, 'matchBy'>,
  matching: Matching,
): BranchChanges {
  const { nameOf } = matching;
  const { declared } = branch;
  const models = compareModels(parser, { live, branch: branch.project, matching });
  const before = { ...scope.side, relations: models.models };
  const side = branchVersion(declared, nameOf);
  const settled = live.lineage ? settledIn(declared, nameOf) : nothingSettled;
  // A model whose statement is as it was has not changed because a column that it reads is gone: it breaks.
  const asWritten = compareVersions(before, side, settled);
  const after = readingVersion(branch, side, nameOf, asWritten);
  const compared = after === side ? asWritten : compareVersions(before, after, settled);
  const changes = withHeldColumns(withModels(compared, models), models.pairs);
  const created = declared.relations.flatMap(({ node, isMade }) => (isMade ? [nameOf(urnOf(node))] : []));
  return { models, changes, before, after, created: new Set(created) };
}

/** The relations whose lineage in one version is that of the version beside it, of all models that make them. */
function settledIn({ lineage, relations }: Derived, nameOf: (urn: Urn) => Urn): ReadonlySet<Urn> {
  const members = lineage ? [...lineage.order, ...lineage.sources] : [];
  const open = new Set(members.flatMap((one) => (one.node && !lineage?.isSettled(one) ? urnOf(one.node) : [])));
  return new Set(relations.flatMap(({ node }) => (open.has(urnOf(node)) ? [] : nameOf(urnOf(node)))));
}

/** The branch with the reads of its models. What `*` brought in is no reader: its column's removal is its own change. */
function readingVersion(
  branch: Branch,
  side: GraphVersion,
  nameOf: (urn: Urn) => Urn,
  { columns }: Changes,
): GraphVersion {
  const removed = columns.filter(({ change }) => change === 'removed');
  if (removed.length === 0) return side;
  const byRelation = Map.groupBy(removed, ({ relation }) => relation);
  const former = branch.withFormerColumns((node) =>
    (byRelation.get(nameOf(urnOf(node))) ?? []).map(({ column }) => column),
  );
  const settled = settledIn(former, nameOf);
  const retained = [...branchVersion(former, nameOf).edges].filter(([, { to }]) => !settled.has(to));
  const outputs = outputsOf([...side.edges.values()].filter(({ to }) => !settled.has(to)));
  return {
    ...side,
    edges: new Map([...side.edges, ...retained.map(([name, edge]) => [name, ofOutputs(edge, outputs)] as const)]),
  };
}

function outputsOf(edges: readonly VersionEdge[]): Map<Urn, Set<string>> {
  const outputs = new Map<Urn, Set<string>>();
  for (const { to, details } of edges) {
    const names = findOrAdd(outputs, to, () => new Set());
    for (const detail of details) {
      for (const { outputColumn } of [...(detail?.columns ?? []), ...(detail?.unresolved ?? [])]) {
        if (outputColumn !== null) names.add(outputColumn.toLowerCase());
      }
    }
  }
  return outputs;
}

const ofOutputs = ({ details, ...edge }: VersionEdge, outputs: ReadonlyMap<Urn, ReadonlySet<string>>): VersionEdge => ({
  ...edge,
  details: details.map(
    (detail) =>
      detail && {
        ...detail,
        columns: detail.columns.filter(
          ({ outputColumn }) => outputColumn === null || outputs.get(edge.to)?.has(outputColumn.toLowerCase()),
        ),
      },
  ),
});
