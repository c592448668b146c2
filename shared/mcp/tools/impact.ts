import * as v from 'valibot';
import { requestAnswer } from '../../client/api.ts';
import { routes } from '../../contract/api/routes.ts';
import { limitLines } from '../../contract/claim-words.ts';
import { type ImpactAnswer, provenImpact } from '../../contract/impact.ts';
import { schemaOf } from '../../contract/layers.ts';
import { limits } from '../../contract/limits.ts';
import { directions, influences, type Verdict, verdicts } from '../../contract/vocabulary.ts';
import { listTool } from '../pages.ts';
import { placeOfRelation } from '../places.ts';
import {
  ClaimShown,
  claimShown,
  firstOf,
  type NotUnderstood,
  optionalText,
  outside,
  type ToolContext,
} from '../tool.ts';
import { unknownColumns, unknownRelation } from '../unknown-names.ts';
import { relationArguments } from './relations.ts';

const { depth, nodes } = limits.impact;
const schemasShown = 20;
const columnsShown = 30;
const edgesShown = 5;
const mappingsShown = 30;
const statementsShown = 5;
const ownersShown = 10;

const distance = v.pipe(v.number(), v.integer(), v.minValue(depth.min), v.maxValue(depth.max));
const isAsked = (description: string) => v.optional(v.pipe(v.boolean(), v.description(description)), false);
const several = <S extends v.GenericSchema>(item: S, description: string) =>
  v.optional(v.pipe(v.array(item), v.maxLength(20), v.description(description)));

const input = {
  ...relationArguments,
  columns: several(v.string(), 'Columns of the relation. Omit for the whole table.'),
  direction: v.optional(v.picklist(directions), 'downstream'),
  influence: v.optional(
    v.pipe(
      v.picklist(influences),
      v.description('direct: only columns whose values are used. all: also columns in filters, joins and groupings.'),
    ),
    'all',
  ),
  max_depth: v.optional(v.pipe(distance, v.description('How many steps the lineage is followed.')), depth.default),
  as_of: optionalText('A past time (RFC 3339). Default: now.'),
  verdict: several(v.picklist(verdicts), 'Only relations at an edge with one of these verdicts.'),
  kind: several(v.string(), 'Only relations of these kinds, for example relation or exposure.'),
  schema: optionalText('Only relations of this schema, for example shop.marts. * matches any text.'),
  name: optionalText('Only relations whose whole name fits, for example *.fct_*. * matches any text.'),
  distance: v.optional(v.pipe(distance, v.description('Only relations exactly this many steps away.'))),
  mappings: isAsked('Adds which columns feed which, and how.'),
  evidence: isAsked('Adds which feeds state each edge.'),
};
type Input = v.InferOutput<v.ObjectSchema<typeof input, undefined>>;

export const getImpact = listTool({
  name: 'get_impact',
  title: 'Get impact',
  description:
    'Finds what feeds a table or its columns (upstream), and what a change to them may break (downstream). Use it before you change, rename or drop a table or column. The first answer counts all matching relations by distance, schema, kind and verdict, then lists a page of them, the nearest first. Narrow large answers by kind, schema, name, verdict or distance instead of reading every page. claim says what may be concluded: only if its kind is nothing_known_breaks is a change known to break nothing. incomplete lists what the counts do not cover.',
  list: 'relations',
  limit: { most: 200, usual: 40 },
  input,
  output: { root: v.string(), claim: ClaimShown, incomplete: v.array(v.string()) },
  run: async (context, request, position) => {
    const answer = await impactOf(context, request, request.as_of ?? position.asOf ?? undefined);
    const { lineage_resolution: resolution, root, coverage, unknown, as_of } = answer;
    if (resolution.method === 'unresolved')
      throw unknownRelation([{ relation_ref: request.relation_ref, lineage_resolution: resolution }]);
    const items = relationsOf(answer, request.columns !== undefined).filter(fits(request));
    return {
      items: items.map((one) => described(one, root, request)),
      asOf: as_of,
      fields: {
        root: root.relation_ref,
        connector_id: root.connector_id,
        resolution,
        ...(position.skip === 0 && { counts: countsOf(items), edge_verdicts: answer.summary.verdicts }),
        ...(position.skip === 0 && answer.exposures[0] && { exposures: firstOf(answer.exposures, ownersShown) }),
        ...(unknown && { unknown_columns: unknown.message, candidates: unknown.candidates }),
        claim: claimShown(answer.claim),
        incomplete: limitLines(answer.claim),
        coverage: { ...coverage, scopes: undefined, feeds: firstOf(coverage.feeds, 5) },
        as_of,
      },
      advice: [advice(answer, items.length)],
    };
  },
});

type Answer = ImpactAnswer & { readonly unknown?: NotUnderstood };

/** The answer of the columns that the relation has. Throws NotUnderstood if it has none of them. */
async function impactOf(context: ToolContext, request: Input, as_of: string | undefined): Promise<Answer> {
  const { relation_ref, columns = [], direction, influence, verdict, max_depth } = request;
  const place = await placeOfRelation(context, request, { relation_ref, as_of });
  const base = { ...place, relation_ref, direction, influence, verdict, max_depth, max_nodes: nodes.max, as_of };
  const ask = (column_ref: readonly string[]) =>
    requestAnswer(context.api, routes.getImpact, { query: { ...base, column_ref } });
  const answer = await ask(columns);
  const open = answer.column_lineage.unresolved.flatMap(({ reason, column }) =>
    reason === 'unknown_column' && column ? [column.toLowerCase()] : [],
  );
  const known = columns.filter((column) => !open.includes(column.toLowerCase()));
  if (known.length === columns.length || answer.lineage_resolution.method === 'unresolved') return answer;
  const unknown = await unknownColumns(
    context,
    { ...place, as_of },
    { columns: columns.filter((column) => !known.includes(column)), relations: [answer.root.relation_ref] },
  );
  if (known.length === 0) throw unknown;
  return { ...(await ask(known)), unknown };
}

type Edge = ImpactAnswer['edges'][number];
type Effect = 'breaks' | 'may_break';
type Reached = ImpactAnswer['upstream'][number] & {
  readonly direction: 'upstream' | 'downstream';
  /** Of a question about columns: C-IMPACT-20. */
  readonly effect?: Effect;
  /** The last edge of each way on which it was reached. */
  readonly edges: readonly Edge[];
};

function relationsOf(answer: ImpactAnswer, isByColumn: boolean): readonly Reached[] {
  const { upstream, downstream, edges } = answer;
  const proven = isByColumn ? provenImpact(answer) : null;
  const at = {
    upstream: Map.groupBy(edges, (one) => one.upstream),
    downstream: Map.groupBy(edges, (one) => one.downstream),
  };
  const reached = (direction: Reached['direction']) => (item: ImpactAnswer['upstream'][number]) => ({
    ...item,
    direction,
    edges: at[direction].get(item.relation_ref) ?? [],
    ...(proven && direction === 'downstream' && { effect: effectOf(proven, item) }),
  });
  return [...upstream.map(reached('upstream')), ...downstream.map(reached('downstream'))].sort(
    (a, b) => a.depth - b.depth,
  );
}

const effectOf = (proven: ReadonlySet<string>, { relation_ref }: ImpactAnswer['upstream'][number]): Effect =>
  proven.has(relation_ref) ? 'breaks' : 'may_break';

function fits({ kind, schema = '*', name = '*', distance: steps }: Input): (one: Reached) => boolean {
  const [ofSchema, ofName] = [matcher(schema), matcher(name)];
  return ({ kind: own, depth: away, relation_ref }) =>
    (kind ?? [own]).includes(own) &&
    (steps ?? away) === away &&
    ofSchema(schemaOf(relation_ref)) &&
    ofName(relation_ref);
}

/** Compares the literal parts between the stars from left to right. A regular expression of a caller's text could be slow. */
function matcher(pattern: string): (text: string) => boolean {
  const [head = '', ...parts] = pattern.toLowerCase().split('*');
  return (written) => {
    const text = written.toLowerCase();
    if (parts.length === 0) return text === head;
    if (!text.startsWith(head)) return false;
    let at = head.length;
    const last = parts.at(-1) ?? '';
    for (const part of parts.slice(0, -1)) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}

const verdictsOf = ({ edges }: Reached): readonly Verdict[] => [
  ...new Set(edges.flatMap(({ verdict }) => (verdict === null ? [] : [verdict]))),
];

function countsOf(relations: readonly Reached[]) {
  const schemas = Object.entries(counted(relations, ({ relation_ref }) => [schemaOf(relation_ref)])).sort(
    ([, a], [, b]) => b - a,
  );
  const others = schemas.slice(schemasShown);
  return {
    by_direction: counted(relations, ({ direction }) => [direction]),
    by_distance: counted(relations, ({ depth: steps }) => [String(steps)]),
    by_kind: counted(relations, ({ kind }) => [kind]),
    by_verdict: counted(relations, verdictsOf),
    by_effect: counted(relations, ({ effect }) => (effect ? [effect] : [])),
    by_schema: Object.fromEntries(schemas.slice(0, schemasShown)),
    ...(others.length > 0 && {
      other_schemas: { schemas: others.length, relations: others.reduce((sum, [, many]) => sum + many, 0) },
    }),
  };
}

function counted<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const key of items.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function described(one: Reached, root: Answer['root'], asked: Pick<Input, 'mappings' | 'evidence'>) {
  const { relation_ref, connector_id, direction, depth: steps, kind, effect, columns, confidence, edges } = one;
  return {
    ...{ relation_ref, direction, distance: steps, kind, confidence },
    ...(connector_id !== root.connector_id && { connector_id }),
    ...(effect && { effect }),
    ...(one.exposure && { exposure: one.exposure }),
    columns: columns.slice(0, columnsShown),
    ...(columns.length > columnsShown && { columns_total: columns.length }),
    edges: edges.slice(0, edgesShown).map((edge) => edgeShown(edge, direction, asked)),
    ...(edges.length > edgesShown && { edges_total: edges.length }),
  };
}

const edgeShown = (
  edge: Edge,
  direction: Reached['direction'],
  { mappings, evidence }: Pick<Input, 'mappings' | 'evidence'>,
) => ({
  ...(direction === 'downstream' ? { reads: edge.upstream } : { feeds: edge.downstream }),
  verdict: [edge.verdict, edge.verdict_reason].filter(Boolean).join(': '),
  ...(edge.status === 'stale' && { status: edge.status }),
  ...(mappings && { mappings: firstOf(edge.columns.map(mappingShown), mappingsShown) }),
  ...(evidence && {
    stated_by: firstOf(
      edge.evidence.map((one) => ({ provider: one.provider_type, scope: one.scope_key, observed_at: one.observed_at })),
      statementsShown,
    ),
  }),
});

const mappingShown = ({ upstream, downstream, type, change, subtype, expression }: Edge['columns'][number]) => ({
  from: upstream,
  to: downstream ?? '*',
  how: change ?? [type, subtype].filter(Boolean).join(' '),
  ...(expression && { expression: outside(expression, 200) }),
});

function advice({ upstream, downstream, claim: { limits: known } }: ImpactAnswer, matching: number): string {
  if (upstream.length + downstream.length === 0 && known.every(({ code }) => code !== 'other_verdicts'))
    return 'No relation was found. Read claim before you conclude anything.';
  if (matching === 0) return 'No relation passes the filters: repeat the call without them.';
  return 'Call explain_edge to see the evidence for an edge.';
}
