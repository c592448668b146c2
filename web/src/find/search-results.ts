import { useQuery } from '@tanstack/react-query';
import { type Layer, layerOf } from '../../../shared/contract/layers.ts';
import { columnsQuery, relationsQuery, type Workspace } from '../api/queries.ts';
import { ago } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import { recentRelations } from './recent.ts';

export type Found = {
  readonly connector: string;
  readonly relation: string;
  readonly column: string | null;
  readonly kind: string | null;
  readonly layer: Layer;
  readonly notes: readonly string[];
};

const columnsShown = 8;

export type FoundAnswer = {
  readonly found: readonly Found[];
  readonly isPending: boolean;
  /** Whether there are more columns than are shown. */
  readonly hasMoreColumns: boolean;
};

/** Relations and columns that a text may mean, relations first. */
export function useFound(workspace: Workspace | null, text: string): FoundAnswer {
  const words = text.trim();
  const isEnabled = workspace !== null && words !== '';
  const relations = useQuery({ ...relationsQuery(workspace?.id ?? '', words), enabled: isEnabled });
  const columns = useColumns(isEnabled ? workspace : null, words);
  if (!isEnabled || workspace === null) return { found: recents(workspace), isPending: false, hasMoreColumns: false };
  const found = (relations.data?.items ?? []).map((item) => ({
    connector: item.connector_id ?? workspace.connectors[0]?.id ?? '',
    relation: item.relation_ref,
    column: null,
    kind: item.kind,
    layer: item.layer,
    notes: [
      connectorName(workspace, item.connector_id),
      texts.search.hops(item.upstream_count, item.downstream_count),
      texts.search.fresh(ago(item.last_observed_at)),
    ],
  }));
  return {
    found: [...found, ...columns.found],
    isPending: relations.isPending || columns.isPending,
    hasMoreColumns: columns.hasMoreColumns,
  };
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
      layer: layerOf(relation, workspace?.connectors.find(({ id }) => id === connector)?.layers),
      notes: [texts.search.recent],
    }));

/** The last word may be a column, of a relation that the words before it name. */
function useColumns(workspace: Workspace | null, text: string): FoundAnswer {
  const words = columnWords(text);
  const isEnabled = workspace !== null && words !== '';
  const { data, isPending } = useQuery({
    ...columnsQuery(workspace?.id ?? '', words, columnsShown),
    enabled: isEnabled,
  });
  const found = (isEnabled ? (data?.items ?? []) : []).flatMap(
    ({ connector_id, relation_ref, kind, layer, columns = [] }) =>
      columns.map((column) => ({
        connector: connector_id ?? '',
        relation: relation_ref,
        column,
        kind,
        layer,
        notes: [],
      })),
  );
  const hasMoreColumns = found.length > columnsShown || (isEnabled && (data?.next_cursor ?? null) !== null);
  return { found: found.slice(0, columnsShown), isPending: isEnabled && isPending, hasMoreColumns };
}

/** A column after the dot of its relation is its own word. */
function columnWords(text: string): string {
  const dot = text.lastIndexOf('.');
  return dot < 0 || text.includes(' ', dot) ? text : `${text.slice(0, dot)} ${text.slice(dot + 1)}`.trim();
}
