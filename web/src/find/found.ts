import { useQueries, useQuery } from '@tanstack/react-query';
import { relationQuery, relationsQuery, type Workspace } from '../api/queries.ts';
import { ago } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import { recentRelations } from './recent.ts';

/** One line below the search box. */
export type Found = {
  readonly connector: string;
  readonly relation: string;
  readonly column: string | null;
  readonly kind: string | null;
  readonly notes: readonly string[];
};

/** How many relations are looked into for columns of a name. */
const lookedInto = 24;
const columnsShown = 8;

type FoundAnswer = {
  readonly found: readonly Found[];
  readonly isPending: boolean;
  /** Of so many relations the columns were looked at, where there are more; null where of all. */
  readonly columnsOf: number | null;
};

/** Relations and columns that a text may mean, relations first. */
export function useFound(workspace: Workspace | null, text: string): FoundAnswer {
  const words = text.trim();
  const asked = workspace !== null && words !== '';
  const relations = useQuery({ ...relationsQuery(workspace?.id ?? '', words), enabled: asked });
  const columns = useColumns(asked ? workspace : null, words);
  if (!asked || workspace === null) return { found: recents(workspace), isPending: false, columnsOf: null };
  const found = (relations.data?.items ?? []).map((item) => ({
    connector: item.connector_id ?? workspace.connectors[0]?.id ?? '',
    relation: item.relation_ref,
    column: null,
    kind: item.kind,
    notes: [
      connectorName(workspace, item.connector_id),
      texts.search.hops(item.upstream_count, item.downstream_count),
      texts.search.fresh(ago(item.last_observed_at)),
    ],
  }));
  return { found: [...found, ...columns.found], isPending: relations.isPending, columnsOf: columns.columnsOf };
}

const connectorName = ({ connectors }: Workspace, id: string | null): string =>
  connectors.find((one) => one.id === id)?.name ?? '';

const recents = (workspace: Workspace | null): Found[] =>
  recentRelations()
    .filter(({ connector }) => workspace?.connectors.some(({ id }) => id === connector))
    .map(({ connector, relation }) => ({
      connector,
      relation,
      column: null,
      kind: null,
      notes: [texts.search.recent],
    }));

/** The last word may be a column of a relation that the words before it name; alone, of any well-connected one. */
function useColumns(workspace: Workspace | null, text: string): Pick<FoundAnswer, 'found' | 'columnsOf'> {
  const { before, last } = lastWord(text);
  const asked = workspace !== null && last.length > 1;
  const workspaceId = workspace?.id ?? '';
  const candidates = useQuery({ ...relationsQuery(workspaceId, before, undefined, lookedInto), enabled: asked });
  const items = asked ? (candidates.data?.items ?? []) : [];
  const details = useQueries({
    queries: items
      .filter(({ connector_id }) => connector_id !== null)
      .map(({ connector_id, relation_ref }) => ({
        ...relationQuery(workspaceId, connector_id ?? '', relation_ref),
        staleTime: 5 * 60_000,
      })),
  });
  const found = items
    .flatMap(({ connector_id, relation_ref, kind }, index) =>
      (details[index]?.data?.columns ?? [])
        .filter(({ name }) => isMeant(name, last))
        .map(({ name }) => ({
          connector: connector_id ?? '',
          relation: relation_ref,
          column: name,
          kind,
          notes: [],
        })),
    )
    .slice(0, columnsShown);
  return { found, columnsOf: asked && candidates.data?.next_cursor ? items.length : null };
}

function lastWord(text: string): { readonly before: string; readonly last: string } {
  const [, before = '', last = ''] = /^(?:(.*)[\s.])?([^\s.]*)$/.exec(text) ?? [];
  return { before: before.trim(), last };
}

/** As relations are found: by the beginning of any part of the name. */
const isMeant = (name: string, word: string): boolean => {
  const [whole, start] = [name.toLowerCase(), word.toLowerCase()];
  return whole.startsWith(start) || whole.split(/[_\-./]/).some((part) => part.startsWith(start));
};
