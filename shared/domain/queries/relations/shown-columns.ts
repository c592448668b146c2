import type { WorkspaceId } from '../../../contract/ids.ts';
import { indexedColumn } from '../../graph/name-parts.ts';
import type { Urn } from '../../graph/node.ts';
import { detailsSeen } from '../../traversal/details-seen.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { columnsNamed } from './columns-named.ts';
import { claimsOf, type DescribePorts } from './describe-relations.ts';
import { presentNames, type RankedRelation } from './rank-relations.ts';

/** Columns that relations are looked into for, by the present names of those under which they were found. */
export async function wantedByPresentNames(
  view: GraphView,
  columnsOf: ReadonlyMap<Urn, ReadonlySet<string>>,
): Promise<ReadonlyMap<Urn, ReadonlySet<string>>> {
  const wanted = new Map<Urn, Set<string>>();
  const names = await presentNames(view, [...columnsOf.keys()]);
  for (const [urn, columns] of columnsOf) {
    const name = names.get(urn) ?? urn;
    wanted.set(name, new Set([...(wanted.get(name) ?? []), ...columns]));
  }
  return wanted;
}

const claimsRead = 400;

type WantedColumns = {
  readonly workspace: WorkspaceId;
  readonly relations: readonly RankedRelation[];
  readonly wanted: ReadonlyMap<Urn, ReadonlySet<string>>;
};

/**
 * The wanted columns that relations have now, as their sources spell them: a posting may outlive what it tells. Of a
 * relation with more evidence than is read those stay that nothing was found of.
 */
export async function shownColumns(
  { details }: DescribePorts,
  view: GraphView,
  { workspace, relations, wanted }: WantedColumns,
): Promise<ReadonlyMap<Urn, readonly string[]>> {
  await view.columns.load(relations.map(({ urn }) => urn));
  const spelled = new Map(relations.map(({ urn }) => [urn, listedNames(view, urn)]));
  const open = () =>
    relations.filter(({ urn }) => [...(wanted.get(urn) ?? [])].some((column) => !spelled.get(urn)?.has(column)));
  const cut = new Set<Urn>();
  for (const side of ['in', 'out'] as const) {
    const asked = open();
    const each = Math.ceil(claimsRead / Math.max(1, asked.length));
    const claims = asked.flatMap(({ urn, neighbourhood }) => {
      const all = claimsOf(neighbourhood, side);
      if (all.length > each || neighbourhood.hasUnreadPages) cut.add(urn);
      return all.slice(0, each);
    });
    const read = claims.length === 0 ? [] : await detailsSeen(view, claims, await details.get(workspace, claims));
    for (const { urn, neighbourhood } of asked)
      for (const { name } of columnsNamed(neighbourhood, read).values())
        spelled.get(urn)?.set(indexedColumn(name), name);
  }
  const shown = relations.map(({ urn }) => {
    const columns = [...(wanted.get(urn) ?? [])].sort();
    return [urn, columns.flatMap((one) => spelled.get(urn)?.get(one) ?? (cut.has(urn) ? one : []))] as const;
  });
  return new Map(shown.filter(([, columns]) => columns.length > 0));
}

const listedNames = (view: GraphView, urn: Urn): Map<string, string> =>
  new Map([...(view.columns.of(urn)?.columns.values() ?? [])].map(({ name }) => [indexedColumn(name), name]));
