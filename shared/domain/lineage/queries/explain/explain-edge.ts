import { limitOf } from '../../../../contract/claim.ts';
import type { EdgeExplanation, ExplainedEvidence } from '../../../../contract/explain.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { Problem } from '../../../../contract/problems.ts';
import { sortedBy } from '../../../base/collections.ts';
import { changeOf } from '../../graph/derivation.ts';
import { nodeOf, ownerOf, refOf, type Urn } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import { concerning } from '../../traversal/columns.ts';
import { type EvaluatedEdge, type EvaluationOptions, edgeEvaluator, followed } from '../../traversal/evaluate.ts';
import { type Evidence, engineOf, shownSql } from '../../traversal/evidence.ts';
import {
  type GraphQuery,
  type GraphView,
  graphView,
  type QueryContext,
  type Traversal,
} from '../../traversal/graph-view.ts';
import { shownVerdict } from '../../traversal/judged-edges.ts';
import { namedColumns } from '../../traversal/named-columns.ts';
import type { ResolvedRoot } from '../../traversal/traverse.ts';
import { type MappingVerdict, mappingVerdicts, noVerdict, verdictOf, verdictsOf } from '../../traversal/verdict.ts';
import { firstCarried } from '../answer-size.ts';
import { limited } from '../claim/claim.ts';
import { claimOfEdge } from '../claim/edge-claim.ts';
import { namedSources, sourceLimits } from '../claim/sources.ts';
import { wayLimits } from '../claim/way-limits.ts';
import { shownResolution } from '../relations/resolution.ts';
import { connectorsInOrder } from '../relations/resolve-named-relation.ts';
import { type EvidenceSource, evidenceSources, type Sources, unsourced } from './evidence-sources.ts';
import type { EvidenceStatements } from './evidence-statements.ts';
import { type EdgeReference, findEdge } from './find-edge.ts';
import { whyOf } from './why.ts';

type EdgeQuestion = EdgeReference & {
  readonly workspace: WorkspaceId;
  readonly column: string | null;
  /** A past time, or null for now. */
  readonly asOf: string | null;
};

const mostEvidence = 200;

/** Explains an edge: every piece of evidence, its origin, its weight and why it counts or not. */
export async function explainEdge(
  query: GraphQuery<Traversal | Sources | 'names' | 'sources' | 'unfinished'>,
  named: Connector | null,
  question: EdgeQuestion,
): Promise<Omit<EdgeExplanation, 'cost'>> {
  const { workspace, asOf, column } = question;
  const view = graphView(query, asOf);
  const found = await findEdge(view, named, question);
  const ends = [found.upstream, found.downstream].flatMap(({ urn }) => urn ?? []);
  const connector = named ?? connectorOf(query.context, ends.toReversed());
  const end = async (root: ResolvedRoot, relationRef: string) => ({
    relation_ref: root.urn ? refOf(root.urn) : relationRef,
    lineage_resolution: await shownResolution(view, named, { relationRef, root }),
  });
  const options = { asOf, includeStale: true, minConfidence: 0, withDetails: true };
  const [edge] = found.edge ? followed(await edgeEvaluator(view, options).evaluate('in', [found.edge])) : [];
  const evidence = edge?.evidence.slice(0, mostEvidence) ?? [];
  const verdict = edge ? verdictOf(await verdictsOf(view, [edge]), edge) : noVerdict;
  const column_unresolved_reason = edge ? await unknownColumnOf(view, { asOf, column }, edge) : null;
  const [sources, way] = await Promise.all([namedSources(query, workspace), wayLimits(view, ends)]);
  return cutExplanation({
    workspace_id: workspace,
    connector_id: connector.id,
    upstream: await end(found.upstream, question.upstream),
    downstream: await end(found.downstream, question.downstream),
    column_ref: column,
    column_unresolved_reason,
    claim: claimOfEdge(
      question,
      { ...found, edge: edge ?? null },
      [
        ...(column_unresolved_reason ? [limitOf(column_unresolved_reason, { subjects: [column ?? ''] })] : []),
        ...way,
        ...sourceLimits(sources, {
          owners: new Set(ownersOf(ends)),
          relations: ends.map(refOf),
          context: query.context,
          asOf,
        }),
      ],
      sources.until,
    ),
    found: edge !== undefined,
    status: edge?.status ?? null,
    confidence: edge?.confidence ?? 0,
    ...shownVerdict(verdict),
    evidence: edge ? await explained({ view, edge, connector, question }, evidence) : [],
    truncated: (edge?.evidence.length ?? 0) > evidence.length,
    as_of: asOf ?? query.context.now,
  });
}

/** The connector of the first relation that has one, or else any. Throws `not_found` if the workspace has none. */
function connectorOf(context: QueryContext, ends: readonly Urn[]): Connector {
  const owners = ownersOf(ends).flatMap((id) => context.connectors.get(id) ?? []);
  const connector = owners[0] ?? connectorsInOrder(context)[0];
  if (!connector) throw new Problem('not_found');
  return connector;
}

const ownersOf = (relations: readonly Urn[]) => relations.flatMap((urn) => ownerOf(nodeOf(urn)) ?? []);

type Explaining = {
  readonly view: GraphView<Sources>;
  readonly edge: EvaluatedEdge;
  readonly connector: Connector;
  readonly question: EdgeQuestion;
};

async function explained(explaining: Explaining, evidence: readonly Evidence[]): Promise<ExplainedEvidence[]> {
  const { view, question } = explaining;
  const sources = await evidenceSources(view, question.workspace, evidence);
  const ofMapping = mappingVerdicts(explaining.edge);
  return evidence.map((one, i) => evidenceOf({ ...explaining, ofMapping }, one, sources[i] ?? unsourced));
}

function evidenceOf(
  { view, edge, connector, question, ofMapping }: Explaining & { readonly ofMapping: MappingVerdict },
  one: Evidence,
  source: EvidenceSource,
): ExplainedEvidence {
  const { detail } = one;
  // If the statement of that time is not stored, another statement must not replace it.
  const statedDetail = detail?.deliveryId === null ? null : detail;
  return {
    provider_type: one.providerType,
    provider_instance_id: one.providerInstanceId,
    scope_key: one.scopeKey,
    observed_at: one.observedAt,
    disposition: one.disposition,
    why: whyOf(view.context, edge, one),
    weight: one.weight,
    named_as: {
      upstream: refOf(view.nodes.urnOf(one.from) ?? edge.upstream),
      downstream: refOf(view.nodes.urnOf(one.to) ?? edge.downstream),
    },
    producer: statedDetail?.producer ?? null,
    statement_kind: statedDetail?.statementKind ?? null,
    principal: statedDetail?.principal ?? null,
    engine: engineOf(view.context, statedDetail, connector.id),
    delivery: deliveryOf(source, one),
    delivery_missing_reason: missingReason(source, detail),
    ...shownStatements(
      source.statements,
      shownSql(view.context.connectors, ownersOf([edge.upstream, edge.downstream])),
    ),
    ...evidenceColumns(one, question.column, ofMapping),
  };
}

const missingReason = ({ delivery }: EvidenceSource, detail: Evidence['detail']) => {
  if (!detail || delivery) return null;
  return detail.deliveryId === null ? 'statement_not_kept' : 'receipt_not_kept';
};

const shownStatements = (
  { sql, ...statements }: EvidenceStatements,
  shown: (text: string) => string,
): EvidenceStatements => ({ ...statements, sql: sql && { ...sql, text: shown(sql.text) } });

function deliveryOf(
  { delivery, itemIndex, unread }: EvidenceSource,
  { detail }: Evidence,
): ExplainedEvidence['delivery'] {
  if (!delivery) return null;
  const query = new URLSearchParams({ workspace_id: delivery.workspace_id });
  return {
    delivery_id: delivery.delivery_id,
    kind: delivery.kind,
    received_at: delivery.received_at,
    payload: {
      href: `/v1/lineage/deliveries/${delivery.delivery_id}/payload?${query}`,
      item_index: itemIndex,
      pointer: detail?.location ?? '',
      unread_reason: unread,
    },
  };
}

type ColumnQuestion = Pick<EvaluationOptions, 'asOf'> & { readonly column: string | null };

/** `unknown_column` if the edge's mappings and its two relations do not have the requested column. */
async function unknownColumnOf(
  view: GraphView,
  { column, ...options }: ColumnQuestion,
  { upstream, downstream, evidence }: EvaluatedEdge,
): Promise<'unknown_column' | null> {
  if (column === null) return null;
  const isRequested = concerning(new Set([column.toLowerCase()]));
  const mapped = evidence.flatMap(({ detail }) => detail?.columns ?? []);
  if (mapped.some(({ inputColumn, outputColumn }) => isRequested(inputColumn) || isRequested(outputColumn ?? '')))
    return null;
  const named = await Promise.all([upstream, downstream].map((end) => namedColumns(view, options, end)));
  return named.some((names) => concerning(names)(column)) ? null : 'unknown_column';
}

type Answer = Omit<EdgeExplanation, 'cost'>;

/** How many columns and places of a piece of evidence are listed. */
const columnsListed = [1_000, 100, 10, 0];

/** The explanation as far as a reply can carry it: columns are left out first, then statements, then evidence (C-EXPLAIN-3). */
export const cutExplanation = (answer: Answer): Answer => firstCarried(answer, smallerAnswers(answer));

function* smallerAnswers(answer: Answer): Generator<Answer> {
  for (const most of columnsListed) yield cut(answer, (one) => withColumns(one, most));
  const bare = cut(answer, (one) => ({ ...withColumns(one, 0), sql: null }));
  for (let most = bare.evidence.length; most >= 1; most = Math.floor(most / 2))
    yield { ...bare, evidence: bare.evidence.slice(0, most) };
}

const cut = (answer: Answer, of: (one: ExplainedEvidence) => ExplainedEvidence): Answer => ({
  ...answer,
  evidence: answer.evidence.map(of),
  truncated: true,
  claim: limited(answer.claim, limitOf('cut_by_size')),
});

const withColumns = (one: ExplainedEvidence, most: number): ExplainedEvidence => ({
  ...one,
  said_by: one.said_by.slice(0, Math.max(most, 1)),
  columns: one.columns.slice(0, most),
  columns_unresolved: one.columns_unresolved.slice(0, most),
});

/** The mappings of the evidence; with a column, those that it takes part in at either end. */
function evidenceColumns(
  { detail }: Evidence,
  column: string | null,
  ofMapping: MappingVerdict,
): Pick<ExplainedEvidence, 'columns' | 'columns_unresolved'> {
  const isMapped = column === null ? () => true : concerning(new Set([column.toLowerCase()]));
  const concerns = (name: string | null) => name === null || isMapped(name);
  const columns = (detail?.columns ?? [])
    .filter(({ inputColumn, outputColumn }) => isMapped(inputColumn) || concerns(outputColumn))
    .map((mapping) => {
      const { inputColumn: upstream, outputColumn: downstream, expression = null, ...way } = mapping;
      const verdict = shownVerdict(ofMapping(mapping));
      return { upstream, downstream, ...way, change: changeOf(mapping), expression, ...verdict };
    });
  const unresolved = (detail?.unresolved ?? [])
    .filter(({ outputColumn }) => concerns(outputColumn))
    .map(({ outputColumn, reason }) => ({ column: outputColumn, reason }));
  return { columns: sortedBy(columns, (one) => JSON.stringify(one)), columns_unresolved: unresolved };
}
