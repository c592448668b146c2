// Files and a service as one answer: their graphs are one, and what limits the service's answer limits this one too.
import * as v from 'valibot';
import {
  type Api,
  type Items,
  type Question,
  readAnswer,
  requestAnswer,
  requestItems,
} from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { Claim, type ClaimLimit, type LimitCode } from '../../shared/contract/claim.ts';
import type { EdgeExplanation } from '../../shared/contract/explain.ts';
import { ConnectorId } from '../../shared/contract/ids.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { sortedBy } from '../../shared/domain/base/collections.ts';
import { exportFeed, exportType } from '../../shared/domain/lineage/files/exported-graph.ts';
import { filesWorkspace } from '../../shared/domain/lineage/files/file-graph.ts';
import type { ServiceGraph } from '../../shared/domain/lineage/files/open-files.ts';
import { type Connector, connectorDefaults } from '../../shared/domain/lineage/names/connector.ts';
import { claimOf, limited } from '../../shared/domain/lineage/queries/claim/claim.ts';
import { exposuresByOwner } from '../../shared/domain/lineage/queries/impact/answer.ts';
import { exportLines } from '../export/export-lines.ts';
import { chosen } from '../service/names.ts';
import type { Session } from '../session.ts';
import { askService, jointLimits, notAsked } from './service-beside.ts';

/** A larger graph would take over 10 seconds and 1 GB to read. */
const mostEvents = 20_000;

export const graphOf = (service: Session): Promise<ServiceGraph | ClaimLimit> =>
  askService(async () => {
    const named = await service.namedConnector();
    const connectors = (await requestItems(service, routes.listConnectors)).map(connectorOf);
    service.progress.say(`reading the graph of ${service.settings.url}`);
    const exported: unknown[] = [];
    for await (const line of await exportLines(service, {})) {
      if (exported.length === mostEvents)
        return notAsked(
          `Its graph has more than ${mostEvents.toLocaleString('en')} relations. Ask it without the files too.`,
        );
      exported.push(JSON.parse(line));
    }
    return { connector: named && chosen(connectors, named.id, 'connector'), connectors, exported };
  });

const connectorOf = ({ id, ...item }: Items<typeof routes.listConnectors>[number]): Connector => ({
  ...connectorDefaults,
  ...{ ...item, id: v.parse(ConnectorId, id), workspace_id: filesWorkspace },
  ...{ parts: 'whole', datahub_platform_instances: [] },
});

/** An API of files whose claims have one more limit. */
export const limitedApi = (files: Api, limit: ClaimLimit): Api => ({
  ...files,
  ask: async (route, question) => {
    const answer = await files.ask(route, question);
    const claimed = v.safeParse(Claimed, answer);
    return claimed.success ? { ...claimed.output, claim: limited(claimed.output.claim, limit) } : answer;
  },
});

const Claimed = v.looseObject({ claim: Claim });

/** @param files answers from the graph of both */
export function jointApi(files: Api, service: Session): Api {
  const ask: Api['ask'] = async (route, { query = {}, ...rest } = {}) => {
    const named = { ...query, workspace_id: (await service.workspace()).id };
    const answer = await files.ask(route, { ...rest, query: named });
    switch (route) {
      case routes.getImpact:
        return jointImpact(readAnswer(routes.getImpact, answer), await impactIn(service, query));
      case routes.getRelation: {
        const relation = readAnswer(routes.getRelation, answer);
        const near = { direction: 'downstream', max_depth: 1, ...query };
        if (query['connector_id'] === undefined) return relation;
        return { ...relation, claim: jointClaim(relation.claim, await impactIn(service, near)) };
      }
      case routes.explainEdge: {
        const explain = () => requestAnswer(service, routes.explainEdge, { query });
        return jointEdge(readAnswer(routes.explainEdge, answer), await askService(explain));
      }
      default:
        return answer;
    }
  };
  return { ...files, ask };
}

type Query = NonNullable<Question['query']>;

/** Also of edges that are shown otherwise: what the export leaves out limits the claim. */
const impactIn = (service: Session, query: Query): Promise<ImpactAnswer | ClaimLimit> =>
  askService(() =>
    requestAnswer(service, routes.getImpact, { query: { ...query, include_stale: undefined, verdict: undefined } }),
  );

function jointImpact(files: ImpactAnswer, service: ImpactAnswer | ClaimLimit): ImpactAnswer {
  const answer = { ...files, claim: jointClaim(files.claim, service) };
  if ('code' in service) return answer;
  const { coverage } = service;
  const edges = new Map(service.edges.map((edge) => [edgeName(edge), edge]));
  const sideOf = (side: 'upstream' | 'downstream') => {
    const known = new Map(service[side].map((one) => [one.relation_ref, one]));
    return answer[side].map((one) => withSources(one, known.get(one.relation_ref)));
  };
  const downstream = sideOf('downstream');
  return {
    ...answer,
    upstream: sideOf('upstream'),
    downstream,
    exposures: exposuresByOwner(downstream),
    edges: answer.edges.map((edge) => withEvidence(edge, edges.get(edgeName(edge)))),
    coverage: { ...coverage, scopes: ofBoth(answer.coverage.scopes, coverage.scopes) },
  };
}

const edgeName = ({ upstream, downstream }: Edge) => `${upstream}\n${downstream}`;

type Edge = ImpactAnswer['edges'][number];

function withEvidence(edge: Edge, service: Edge | undefined): Edge {
  if (!service) return edge;
  const isOfFiles = edge.evidence.some((one) => one.provider_instance_id !== exportFeed);
  const evidence = ofBoth(edge.evidence, service.evidence);
  if (isOfFiles) return { ...edge, evidence };
  // An export has the verdict of an edge, and not of each column.
  const known = new Map(service.columns.map((one) => [mappingName(one), one]));
  const columns = edge.columns.map((one) => known.get(mappingName(one)) ?? one);
  return { ...edge, evidence, columns, confidence: service.confidence };
}

const mappingName = ({ upstream, downstream, type, subtype }: Edge['columns'][number]) =>
  JSON.stringify([upstream, downstream, type, subtype]);

type Item = ImpactAnswer['downstream'][number];

function withSources(item: Item, service: Item | undefined): Item {
  if (!service) return item;
  const files = item.via.filter((type) => type !== exportType);
  const via = [...new Set([...files, ...service.via])].sort();
  const confidence = files.length > 0 ? item.confidence : service.confidence;
  // The export does not name owners and titles.
  const { exposure, owners } = files.length > 0 ? item : service;
  return { ...item, ...(exposure && { exposure }), ...(owners && { owners }), via, confidence };
}

function jointEdge(files: EdgeExplanation, service: EdgeExplanation | ClaimLimit): EdgeExplanation {
  const answer = { ...files, claim: jointClaim(files.claim, service) };
  if ('code' in service) return answer;
  const evidence = service.found ? ofBoth(files.evidence, service.evidence) : files.evidence;
  return { ...answer, evidence, truncated: files.truncated || service.truncated };
}

type Statement = { readonly provider_instance_id: string; readonly scope_key: string };

/** The service knows the evidence of its edges, which its export does not name. */
const ofBoth = <T extends Statement>(files: readonly T[], service: readonly T[] | undefined): T[] =>
  sortedBy(
    service ? [...files.filter((one) => one.provider_instance_id !== exportFeed), ...service] : files,
    ({ scope_key }) => scope_key,
  );

/** Limits that follow from the walk: that of both graphs decides. */
const limitsOfWalk: ReadonlySet<LimitCode> = new Set<LimitCode>([
  ...(['name_not_resolved', 'unknown_column', 'columns_unknown', 'before_first_evidence'] as const),
  ...(['cut_by_depth', 'cut_by_nodes', 'cut_by_requests', 'cut_by_size', 'direct_readers_only'] as const),
  ...(['downstream_not_requested', 'indirect_left_out', 'below_min_confidence'] as const),
]);

/** @param service its answer, or why there is none */
function jointClaim(files: Claim, service: { readonly claim: Claim } | ClaimLimit): Claim {
  if ('code' in service) return limited(files, service);
  const { limits, evidence_until } = service.claim;
  const others = limits.filter(({ code }) => !limitsOfWalk.has(code));
  return claimOf(files.counts, jointLimits(files.limits, others), evidence_until);
}
