import type { WorkspaceId } from '../../../contract/ids.ts';
import { indexedColumn } from '../../graph/name-parts.ts';
import type { ColumnIndex } from '../../graph/name-ports.ts';
import type { Urn } from '../../graph/node.ts';
import { nearest } from '../../identity/nearest.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import type { DescribePorts } from './describe-relations.ts';
import { firstOf } from './rank-relations.ts';
import { shownColumns, wantedByPresentNames } from './shown-columns.ts';

export type NearestColumnsPorts = DescribePorts & { readonly columns: ColumnIndex };

type ColumnQuestion = {
  readonly workspace: WorkspaceId;
  readonly column: string;
  /** Whether a relation may have it. */
  readonly isWanted: (urn: Urn) => boolean;
};

const postingsPerProbe = 100;
/** Postings may outlive what they tell: so many are looked into, each at so many of its relations. */
const [columnsLookedInto, relationsEach] = [20, 2];

/** The names of columns that are most like one, of those that wanted relations have now, as their sources spell them. */
export async function nearestColumns(
  ports: NearestColumnsPorts,
  view: GraphView,
  { workspace, column, isWanted }: ColumnQuestion,
): Promise<string[]> {
  const pages = await Promise.all(
    probesOf(column).map((prefix) =>
      ports.columns.beginningWith(workspace, prefix, { after: null, limit: postingsPerProbe }),
    ),
  );
  const relationsOf = new Map<string, Set<Urn>>();
  for (const { columns, urns } of pages.flatMap(({ postings }) => postings))
    for (const name of columns)
      relationsOf.set(name, new Set([...(relationsOf.get(name) ?? []), ...urns.filter(isWanted)]));
  const columnsOf = new Map<Urn, Set<string>>();
  for (const name of nearest(column, namesWith(relationsOf), columnsLookedInto))
    for (const urn of [...(relationsOf.get(name) ?? [])].slice(0, relationsEach))
      columnsOf.set(urn, new Set([...(columnsOf.get(urn) ?? []), name]));
  const wanted = await wantedByPresentNames(view, columnsOf);
  const relations = await firstOf(view, [...wanted.keys()], () => 0, wanted.size);
  const shown = await shownColumns(ports, view, { workspace, relations, wanted });
  return nearest(column, [...new Set([...shown.values()].flat())]);
}

/** What columns begin with that resemble one: its first word, its first letters, its first letter. */
function probesOf(column: string): string[] {
  const letters = [...indexedColumn(column)];
  const word = /^[\p{L}\p{N}]+/u.exec(column)?.[0] ?? column;
  return [...new Set([indexedColumn(word), letters.slice(0, 3).join(''), letters.slice(0, 1).join('')])];
}

const namesWith = (relationsOf: ReadonlyMap<string, ReadonlySet<Urn>>): string[] =>
  [...relationsOf].flatMap(([name, urns]) => (urns.size > 0 ? [name] : []));
