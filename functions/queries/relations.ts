import type { overviewRoutes } from '../../shared/contract/overview.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { relationRoutes } from '../../shared/contract/relations.ts';
import { bindGraph, type OpenGraph } from '../../shared/domain/lineage/generations/graph-record.ts';
import type { DetailStore } from '../../shared/domain/lineage/graph/derivation.ts';
import { momentOfHistory } from '../../shared/domain/lineage/graph/order.ts';
import { countGraph } from '../../shared/domain/lineage/queries/count-graph.ts';
import type { AnswerPorts } from '../../shared/domain/lineage/queries/impact/answer-impact.ts';
import { type FindColumnsPorts, findColumns } from '../../shared/domain/lineage/queries/relations/find-columns.ts';
import { type FindPorts, findRelations } from '../../shared/domain/lineage/queries/relations/find-relations.ts';
import { showRelation } from '../../shared/domain/lineage/queries/relations/show-relation.ts';
import {
  type GraphQueryPorts,
  namedConnector,
  openGraph,
  openGraphWithPast,
} from '../../shared/domain/lineage/traversal/open-graph.ts';
import { answeredWhole } from '../../shared/domain/lineage/traversal/visible-details.ts';
import type { ConnectorFinder } from '../../shared/domain/workspaces/access/connectors.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type RelationPorts = GraphQueryPorts &
  Omit<FindPorts & FindColumnsPorts, keyof OpenGraph | 'connectors'> & {
    readonly connector: ConnectorFinder;
    readonly details: Pick<DetailStore, 'get' | 'ofNodes'>;
    readonly metering: AnswerPorts['metering'];
  };

/** Serves the routes that find relations, and count them. */
export const relationImplementations = (
  ports: RelationPorts,
): Implementations<typeof relationRoutes & typeof overviewRoutes> => ({
  listRelations: async ({ workspace, query: { connector_id, q: query = '', in: searchIn, limit, cursor = null } }) => {
    if (searchIn === 'columns' && query.trim() === '') throw namelessColumn();
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    const names = await ports.namesOf(workspace);
    const connectors = new Map(names.connectors.map((one) => [one.id, one]));
    const stores = { ...bindGraph(ports, workspace, names), connectors };
    const search = { workspace, connectorId, query, limit, cursor };
    return { status: 200, body: await (searchIn === 'columns' ? findColumns : findRelations)(stores, search) };
  },
  getOverview: async ({ workspace, query: { connector_id }, now }) => {
    const { answer, cost } = await ports.metering(async () => {
      const reading = await openGraph(ports, workspace, now);
      return countGraph(reading, workspace, namedConnector(reading, connector_id)?.id ?? null);
    });
    return { status: 200, body: { ...answer, cost } };
  },
  getRelation: async ({ workspace, query: { connector_id, relation_ref: relationRef, as_of }, now }) => {
    const reading = await openGraphWithPast(ports, workspace, now);
    const connector = namedConnector(reading, connector_id);
    const asOf = as_of === undefined ? null : momentOfHistory(as_of, now, '/query/as_of');
    const question = { workspace, relationRef, asOf };
    const body = await answeredWhole(reading, (consistent) => showRelation(consistent, connector, question));
    return { status: 200, body };
  },
});

const namelessColumn = (): Problem =>
  new Problem('validation_error', { errors: [{ path: '/query/q', message: 'must name a column, for in=columns' }] });
