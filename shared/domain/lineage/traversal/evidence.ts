import type { ConnectorId } from '../../../contract/ids.ts';
import type { EvidenceClass } from '../../../contract/vocabulary.ts';
import type { EdgeDetail } from '../graph/derivation.ts';
import { exposureWithoutColumns } from '../graph/exposure.ts';
import type { Node, NodeId } from '../graph/node.ts';
import type { ScopeHead, ScopeIdentity } from '../graph/scope-store.ts';
import type { Connector } from '../names/connector.ts';
import { isExpired } from '../names/retention.ts';
import { type Disposition, defaultPolicy, type PolicyEvaluator, weightOf } from '../policy/policy.ts';
import { classOf } from '../providers/feed.ts';
import { dialectNamed } from '../sql/dialect.ts';
import { maskedLiterals } from '../sql/mask-literals.ts';
import type { LiveClaim } from './expansion.ts';
import type { QueryContext } from './graph-view.ts';

/** One provider's claim of one edge in one scope, evaluated by the policies of both ends' connectors. */
export type Evidence = ScopeIdentity & {
  readonly class: EvidenceClass;
  readonly observedAt: string;
  readonly disposition: Disposition;
  /** The connector whose policy suppresses it; null if none does. */
  readonly suppressedBy: ConnectorId | null;
  /** What it adds to the edge's confidence where it is admitted. */
  readonly weight: number;
  /** The nodes under whose names it is stored. */
  readonly from: NodeId;
  readonly to: NodeId;
  /** Null where it was not read, or the source stated nothing beyond the edge. */
  readonly detail: EdgeDetail | null;
};

export const admittedOf = (evidence: readonly Evidence[]): Evidence[] =>
  evidence.filter(({ disposition }) => disposition === 'admitted');

type Details = readonly (EdgeDetail | null)[];

/** The details that decide about columns: who lists an exposure without columns denies none that another source lists (C-OPENLINEAGE-24). */
export function decidingDetails(details: Details): Details {
  // Most edges have one piece of evidence.
  if (details.length < 2) return details;
  const isBare = (detail: EdgeDetail | null) =>
    detail?.columns.length === 0 && detail.unresolved.every(({ reason }) => reason === exposureWithoutColumns);
  const isListed = details.some((one) => one !== null && one.columns.length > 0 && one.unresolved.length === 0);
  return isListed ? details.filter((one) => !isBare(one)) : details;
}

/** What decides whether policies admit evidence. */
export type PolicyRules = {
  readonly context: QueryContext;
  readonly evaluators: ReadonlyMap<ConnectorId, PolicyEvaluator>;
};

type Rules = PolicyRules & {
  /** The moment of the question: ISO time, or null for now. */
  readonly options: { readonly asOf: string | null };
};

/** Both ends of an edge, and the connectors whose policies evaluate it. */
export type EdgeEnds = {
  readonly refs: { readonly upstream: string; readonly downstream: string };
  readonly downstream: Node;
  readonly owners: readonly ConnectorId[];
};

/** A live claim as evidence: admitted, suppressed by the policy of an end's connector, or expired. */
export function evidenceOf(
  rules: Rules,
  ends: EdgeEnds,
  head: ScopeHead,
  { claim, detail }: { readonly claim: LiveClaim; readonly detail: EdgeDetail | null },
): Evidence {
  const { context, options } = rules;
  const { downstream, owners } = ends;
  const { scope, kind, providerType, providerInstanceId, scopeKey } = head;
  const evidenceClass = classOf(context.feeds, head);
  const suppressing = suppressionBy(rules, ends, providerType, detail);
  const expired = kind === 'observed' && isExpired(context, options.asOf, downstream, claim.observedAt);
  const weights = (owners[0] && context.policies.get(owners[0])?.weights) || defaultPolicy.weights;
  return {
    scope,
    kind,
    providerType,
    class: evidenceClass,
    providerInstanceId,
    scopeKey,
    observedAt: claim.observedAt,
    disposition: suppressing?.disposition ?? (expired ? 'expired:not_observed' : 'admitted'),
    suppressedBy: suppressing?.owner ?? null,
    weight: weightOf(weights, providerType, evidenceClass),
    from: claim.from,
    to: claim.to,
    detail: detail && shownDetail(context.connectors, owners, detail),
  };
}

/** The first of the ends' connectors whose policy suppresses the evidence; null if none does. */
export function suppressionBy(
  { context, evaluators }: PolicyRules,
  { refs, owners }: EdgeEnds,
  providerType: string,
  detail: EdgeDetail | null,
): { readonly owner: ConnectorId; readonly disposition: Disposition } | null {
  for (const owner of owners) {
    const disposition = evaluators.get(owner)?.evaluate({
      ...refs,
      providerType,
      statementKind: detail?.statementKind ?? null,
      principal: detail?.principal ?? null,
      engine: engineOf(context, detail, owner),
    });
    if (disposition !== undefined && disposition !== 'admitted') return { owner, disposition };
  }
  return null;
}

/** The engine that a connector's policy sees for evidence: if nothing names one, the connector's kind (C-POLICY-12). */
export const engineOf = (
  { connectors }: Pick<QueryContext, 'connectors'>,
  detail: EdgeDetail | null,
  owner: ConnectorId,
): string | null => detail?.engine ?? connectors.get(owner)?.kind ?? null;

type Connectors = ReadonlyMap<ConnectorId, Pick<Connector, 'kind' | 'expression_literals'>>;

/** What becomes of SQL text about an edge: without its literals where a connector of either end masks them (C-POLICY-16). */
export function shownSql(connectors: Connectors, owners: readonly ConnectorId[]): (text: string) => string {
  const masking = maskingOf(connectors, owners);
  if (!masking) return (text) => text;
  const dialect = dialectNamed(masking.kind) ?? 'ansi';
  return (text) => maskedLiterals(text, dialect);
}

const maskingOf = (connectors: Connectors, owners: readonly ConnectorId[]) =>
  owners.map((owner) => connectors.get(owner)).find((one) => one?.expression_literals === 'masked');

function shownDetail(connectors: Connectors, owners: readonly ConnectorId[], detail: EdgeDetail): EdgeDetail {
  if (!maskingOf(connectors, owners)) return detail;
  const shown = shownSql(connectors, owners);
  const columns = detail.columns.map((column) =>
    column.expression === undefined ? column : { ...column, expression: shown(column.expression) },
  );
  return { ...detail, columns };
}
