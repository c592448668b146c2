import type { LineageDiff } from '../../../../contract/diff.ts';
import type { EdgeColumn } from '../../graph/derivation.ts';
import type { Urn } from '../../graph/node.ts';
import type { ModelDifference } from './compare-models.ts';
import {
  type ColumnLineage,
  columnsRead,
  type GraphVersion,
  type RelationLineage,
  relationLineageOf,
  relationsOf,
  type Settled,
  type VersionColumnSource,
  type VersionEdge,
} from './graph-version.ts';

type ChangeKind = LineageDiff['relations'][number]['change'];

type EdgeChange = {
  readonly change: ChangeKind;
  readonly from: Urn;
  readonly to: Urn;
  /** Mappings that only the later side has, and only the earlier. */
  readonly columnsAdded: readonly EdgeColumn[];
  readonly columnsRemoved: readonly EdgeColumn[];
};

export type ColumnDifference = {
  readonly change: ChangeKind;
  readonly relation: Urn;
  readonly column: string;
  /** Its type and sources; null on a side where it does not exist. */
  readonly before: readonly VersionColumnSource[] | null;
  readonly after: readonly VersionColumnSource[] | null;
  /** The model adds to the table that it has, whose columns do not change like that (C-DIFF-3). */
  readonly isHeld?: boolean;
};

export type RelationReason = LineageDiff['relations'][number]['reasons'][number];

export type RelationChange = {
  readonly change: ChangeKind;
  readonly relation: Urn;
  readonly reasons: readonly RelationReason[];
  /** What the model that makes it says differently, if both versions of it were compared. */
  readonly model?: ModelDifference;
};

export type Changes = {
  readonly relations: readonly RelationChange[];
  readonly edges: readonly EdgeChange[];
  readonly columns: readonly ColumnDifference[];
  /** Where columns could not be compared, and why. */
  readonly unknown: readonly { readonly relation: Urn; readonly reason: string }[];
};

type Lineages = ReadonlyMap<Urn, RelationLineage>;
export type ComparedVersions = Changes & { readonly lineages: { readonly before: Lineages; readonly after: Lineages } };

type Compared = {
  readonly before: GraphVersion;
  readonly after: GraphVersion;
  readonly lineageBefore: Lineages;
  readonly lineageAfter: Lineages;
  /** Columns that the earlier side reads of a relation, even if their sources are unknown. */
  readonly readBefore: ReadonlyMap<Urn, ReadonlyMap<string, string>>;
  readonly settled: Settled;
};

export const nothingSettled: Settled = new Set();

/** What differs between two graphs. Names of columns are compared without case. */
export function compareVersions(before: GraphVersion, after: GraphVersion, settled = nothingSettled): ComparedVersions {
  const compared = {
    before,
    after,
    lineageBefore: relationLineageOf(before, settled),
    lineageAfter: relationLineageOf(after, settled),
    readBefore: columnsRead(before, settled),
    settled,
  };
  const edges = edgeChanges(compared);
  const columns = [...compared.lineageBefore.keys()].flatMap((relation) => columnChanges(compared, relation));
  return {
    ...{ relations: relationChanges(compared, edges, columns), edges, columns, unknown: unknownColumns(compared) },
    lineages: { before: compared.lineageBefore, after: compared.lineageAfter },
  };
}

function edgeChanges({ before, after, settled }: Compared): EdgeChange[] {
  const removed = [...before.edges].filter(([name]) => !after.edges.has(name));
  const removals = removed.map(([, edge]) => edgeChange('removed', edge, undefined));
  return [
    ...removals,
    ...[...after.edges].flatMap(([name, edge]) => {
      const known = before.edges.get(name);
      if (!known) return [edgeChange('added', undefined, edge)];
      if (settled.has(edge.to)) return [];
      const change = edgeChange('changed', known, edge);
      return change.columnsAdded.length + change.columnsRemoved.length > 0 ? [change] : [];
    }),
  ];
}

function edgeChange(change: ChangeKind, before: VersionEdge | undefined, after: VersionEdge | undefined): EdgeChange {
  const [old, now] = [mappingsOf(before), mappingsOf(after)];
  const { from, to } = (after ?? before) as VersionEdge;
  const comparable = change !== 'changed' || (isMapped(before) && isMapped(after));
  const only = (a: ReadonlyMap<string, EdgeColumn>, b: ReadonlyMap<string, EdgeColumn>) =>
    comparable ? [...a].filter(([name]) => !b.has(name)).map(([, one]) => one) : [];
  return { change, from, to, columnsAdded: only(now, old), columnsRemoved: only(old, now) };
}

const mappingsOf = (edge: VersionEdge | undefined): Map<string, EdgeColumn> =>
  new Map(edge?.details.flatMap((detail) => detail?.columns ?? []).map((one) => [mappingName(one), one]));

const mappingName = ({ inputColumn, outputColumn, type, subtype, masking }: EdgeColumn) =>
  JSON.stringify([inputColumn.toLowerCase(), outputColumn?.toLowerCase() ?? null, type, subtype, masking]);

const isMapped = (edge: VersionEdge | undefined): boolean =>
  edge?.details.every((detail) => detail?.unresolved.every(({ outputColumn }) => outputColumn !== null)) ?? false;

function columnChanges(
  { lineageBefore, lineageAfter, after, readBefore }: Compared,
  relation: Urn,
): ColumnDifference[] {
  const [old, now] = [lineageBefore.get(relation), lineageAfter.get(relation)];
  if (!old || !now) return [];
  const inventory = after.inventory.get(relation);
  const readers = readBefore.get(relation) ?? new Map<string, string>();
  const changes: ColumnDifference[] = [];
  const add = (change: ChangeKind, column: string, was: ColumnLineage | null, is: ColumnLineage | null) =>
    changes.push({ change, relation, column, before: sourcesOf(was), after: sourcesOf(is) });
  for (const [key, name] of readers) {
    // A column without sources is known only by its readers, as is any of a model without SQL.
    if (old.columns.has(key) || now.columns.has(key) || !inventory || inventory.has(key)) continue;
    add('removed', name, { name, sources: new Map() }, null);
  }
  if (old.unknown !== null) return changes;
  for (const [key, column] of old.columns) {
    const built = now.columns.get(key);
    if (built && !sameSources(column.sources, built.sources)) add('changed', column.name, column, built);
    if (built) continue;
    if (inventory?.has(key)) add('changed', column.name, column, { name: column.name, sources: new Map() });
    else if (inventory || now.unknown === null) add('removed', column.name, column, null);
  }
  for (const [key, created] of now.unknown === null ? now.columns : []) {
    if (old.columns.has(key)) continue;
    if (readers.has(key)) add('changed', created.name, { name: created.name, sources: new Map() }, created);
    else add('added', created.name, null, created);
  }
  return changes;
}

const sourcesOf = (lineage: ColumnLineage | null) => lineage && [...lineage.sources.values()];

const sameSources = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a.keys()].every((name) => b.has(name));

function relationChanges(
  { before, after, lineageBefore, lineageAfter }: Compared,
  edges: readonly EdgeChange[],
  columns: readonly ColumnDifference[],
): RelationChange[] {
  const [old, now] = [relationsOf(before), relationsOf(after)];
  const inputs = new Set(edges.filter(({ change }) => change !== 'changed').map(({ to }) => to));
  const altered = new Set(columns.map(({ relation }) => relation));
  const touched = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const made = after.made ?? after.relations;
  const wasBuilt = (relation: Urn) => lineageBefore.has(relation) || before.relations.has(relation);
  return [
    ...[...old].flatMap((relation): RelationChange[] => {
      const was = lineageBefore.get(relation);
      const is = lineageAfter.get(relation);
      if (!now.has(relation))
        return [{ change: 'removed', relation, reasons: [wasBuilt(relation) ? 'no_longer_made' : 'no_longer_read'] }];
      const wasKnown = was?.unknown === null;
      const isOther = wasKnown && is?.unknown === null && !sameSources(was.influences, is.influences);
      const isLost = wasKnown && typeof is?.unknown === 'string' && !after.inventory.has(relation);
      const changed: readonly (readonly [boolean, RelationReason])[] = [
        [wasBuilt(relation) && !is && !made.has(relation), 'no_longer_made'],
        [inputs.has(relation), 'inputs_changed'],
        [altered.has(relation), 'columns_changed'],
        [isOther, 'influences_changed'],
        [isLost, 'columns_unknown'],
      ];
      const reasons = changed.flatMap(([isSo, reason]) => (isSo ? [reason] : []));
      return reasons.length > 0 ? [{ change: 'changed', relation, reasons }] : [];
    }),
    // A relation that no edge touches may have been there before, unseen.
    ...[...now]
      .filter((relation) => !old.has(relation) && touched.has(relation))
      .map((relation): RelationChange => ({ change: 'added', relation, reasons: [] })),
  ];
}

function unknownColumns({ lineageBefore, lineageAfter, after }: Compared): Changes['unknown'] {
  return [...lineageBefore].flatMap(([relation, was]) => {
    const is = lineageAfter.get(relation);
    if (!is) return [];
    const reason = was.unknown ?? (after.inventory.has(relation) ? null : is.unknown);
    return reason === null ? [] : [{ relation, reason }];
  });
}
