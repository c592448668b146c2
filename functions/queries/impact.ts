import type { impactRoutes } from '../../shared/contract/explain.ts';
import type { overviewRoutes } from '../../shared/contract/overview.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { relationRoutes } from '../../shared/contract/relations.ts';
import { openedGraph } from '../../shared/domain/lineage/generations/graph-record.ts';
import { momentOfHistory } from '../../shared/domain/lineage/graph/order.ts';
import { countGraph } from '../../shared/domain/lineage/queries/count-graph.ts';
import { explainEdge } from '../../shared/domain/lineage/queries/explain/explain-edge.ts';
import { answerImpact } from '../../shared/domain/lineage/queries/impact/answer-impact.ts';
import { findColumns } from '../../shared/domain/lineage/queries/relations/find-columns.ts';
import { findRelations } from '../../shared/domain/lineage/queries/relations/find-relations.ts';
import { showRelation } from '../../shared/domain/lineage/queries/relations/show-relation.ts';
import { answeredWhole } from '../../shared/domain/lineage/traversal/answered-whole.ts';
import type { GraphReader, Metering } from '../../shared/domain/lineage/traversal/graph-view.ts';
import {
  answerMetered,
  connectorIn,
  namedConnector,
  type QueryReader,
} from '../../shared/domain/lineage/traversal/open-graph.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ImpactReader = QueryReader & Pick<GraphReader, 'names'> & { readonly metering: Metering };

const asOf = (text: string | undefined, now: Date): string | null =>
  text === undefined ? null : momentOfHistory(text, now, '/query/as_of');

export const impactImplementations = (reader: ImpactReader): Implementations<typeof impactRoutes> => ({
  getImpact: async ({ workspace, query, now }) =>
    answerMetered(reader, { workspace, now }, (graph) => {
      const connector = connectorIn(graph, query.connector_id);
      return answerImpact(graph, connector, {
        workspace,
        connectorId: connector.id,
        relationRef: query.relation_ref,
        columns: query.column_ref,
        direction: query.direction,
        maxDepth: query.max_depth,
        maxNodes: query.max_nodes,
        asOf: asOf(query.as_of, now),
        includeStale: query.include_stale,
        minConfidence: query.min_confidence,
        influence: query.influence,
        verdicts: query.verdict,
      });
    }),
  explainEdge: async ({ workspace, query, now }) => {
    const { upstream, downstream, column_ref: column = null } = query;
    return answerMetered(reader, { workspace, now }, (graph) => {
      const connector = namedConnector(graph, query.connector_id);
      const question = { workspace, upstream, downstream, column, asOf: asOf(query.as_of, now) };
      return answeredWhole(graph, (consistent) => explainEdge(consistent, connector, question));
    });
  },
});

type RelationReader = QueryReader &
  Pick<GraphReader, 'names' | 'columns' | 'nameLists'> & { readonly metering: Metering };

export const relationImplementations = (
  reader: RelationReader,
): Implementations<typeof relationRoutes & typeof overviewRoutes> => ({
  listRelations: async ({ workspace, query: { connector_id, q: query = '', in: searchIn, limit, cursor = null } }) => {
    if (searchIn === 'columns' && query.trim() === '') throw namelessColumn();
    const names = await reader.namesOf(workspace);
    const connectors = new Map(names.connectors.map((one) => [one.id, one]));
    const context = { ...openedGraph(workspace, names), connectors };
    const connectorId = namedConnector({ context }, connector_id)?.id ?? null;
    const search = { workspace, connectorId, query, limit, cursor };
    const find = searchIn === 'columns' ? findColumns : findRelations;
    return find({ reader, context }, search);
  },
  getOverview: async ({ workspace, query: { connector_id }, now }) =>
    answerMetered(reader, { workspace, now }, (graph) =>
      countGraph(graph, workspace, namedConnector(graph, connector_id)?.id ?? null),
    ),
  getRelation: async ({
    workspace,
    query: { connector_id, relation_ref: relationRef, as_of, verdict: verdicts },
    now,
  }) => {
    const asOf = as_of === undefined ? null : momentOfHistory(as_of, now, '/query/as_of');
    return answerMetered(reader, { workspace, now }, (graph) => {
      const connector = namedConnector(graph, connector_id);
      const question = { workspace, relationRef, asOf, verdicts };
      return answeredWhole(graph, (consistent) => showRelation(consistent, connector, question));
    });
  },
});

const namelessColumn = (): Problem =>
  new Problem('validation_error', { errors: [{ path: '/query/q', message: 'must name a column, for in=columns' }] });
