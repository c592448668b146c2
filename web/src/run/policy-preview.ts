import type { QueryClient } from '@tanstack/react-query';
import { type EvidenceFacts, policyEvaluator } from '../../../shared/domain/policy/disposition.ts';
import { explainQuery, type Impact, impactQuery, type Policy, relationsQuery } from '../api/queries.ts';

type Filters = Policy['filters'];
type EdgeOfAnswer = Impact['edges'][number];
type Claim = EvidenceFacts & { readonly hasExpired: boolean };

/** What a policy would change, of the edges that were looked at. */
export type Preview = {
  readonly hidden: readonly EdgeOfAnswer[];
  readonly shown: readonly EdgeOfAnswer[];
  readonly edges: number;
  readonly relations: number;
};

/** So many of the best connected relations, and so many edges where each has to be asked about by itself. */
const sampled = { relations: 30, explained: 120 } as const;

/**
 * Decides the evidence around the best connected relations by other filters, with the code that the service decides by.
 */
export async function previewPolicy(
  queries: QueryClient,
  workspaceId: string,
  connectorId: string,
  filters: Filters,
): Promise<Preview> {
  const { evaluate, needsDetail } = policyEvaluator({ filters });
  const found = await queries.fetchQuery(relationsQuery(workspaceId, '', connectorId, sampled.relations));
  const relations = found.items.filter(({ connector_id }) => connector_id === connectorId);
  const answers = await Promise.all(
    relations.map(({ relation_ref }) =>
      queries.fetchQuery(
        impactQuery({
          workspace_id: workspaceId,
          connector_id: connectorId,
          relation_ref,
          max_depth: 1,
          include_stale: true,
        }),
      ),
    ),
  );
  const all = new Map(
    answers.flatMap(({ edges }) => edges.map((edge) => [`${edge.upstream}\n${edge.downstream}`, edge] as const)),
  );
  const edges = [...all.values()].slice(0, needsDetail ? sampled.explained : undefined);
  const evaluated = await Promise.all(
    edges.map(async (edge) => {
      const claims = needsDetail ? await explained(queries, workspaceId, connectorId, edge) : claimsOf(edge);
      const isAdmitted = claims.some((claim) => !claim.hasExpired && evaluate(claim) === 'admitted');
      return { edge, isAdmitted };
    }),
  );
  return {
    hidden: evaluated.filter(({ edge, isAdmitted }) => edge.status === 'active' && !isAdmitted).map(({ edge }) => edge),
    shown: evaluated.filter(({ edge, isAdmitted }) => edge.status === 'stale' && isAdmitted).map(({ edge }) => edge),
    edges: edges.length,
    relations: relations.length,
  };
}

const claimsOf = ({ upstream, downstream, evidence }: EdgeOfAnswer): Claim[] =>
  evidence.map(({ provider_type, disposition }) => ({
    upstream,
    downstream,
    providerType: provider_type,
    engine: null,
    statementKind: null,
    principal: null,
    hasExpired: disposition.startsWith('expired'),
  }));

async function explained(
  queries: QueryClient,
  workspaceId: string,
  connectorId: string,
  edge: EdgeOfAnswer,
): Promise<Claim[]> {
  const { evidence } = await queries.fetchQuery(explainQuery(workspaceId, connectorId, edge));
  return evidence.map(({ provider_type, statement_kind, principal, engine, disposition }) => ({
    upstream: edge.upstream,
    downstream: edge.downstream,
    providerType: provider_type,
    engine,
    statementKind: statement_kind,
    principal,
    hasExpired: disposition.startsWith('expired'),
  }));
}
