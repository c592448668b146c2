import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { generatedGraph, generatedManifest, type KnownGraph, layerSize, reached, tableOf } from './graph.ts';

/** A question of a person, the calls that answer it for an agent, and what the answers have to say. */
export type Question = {
  readonly question: string;
  /** `$cursor` is the next_cursor of the answer before; the steps end where there is none. */
  readonly calls: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
  readonly says: readonly string[];
};

const root = path.resolve(import.meta.dirname, '..', '..');
const Node = v.looseObject({
  database: v.string(),
  schema: v.string(),
  name: v.string(),
  compiled_code: v.optional(v.string(), ''),
  depends_on: v.optional(v.looseObject({ nodes: v.array(v.string()) }), { nodes: [] }),
});
const Manifest = v.looseObject({
  nodes: v.record(v.string(), v.looseObject({ resource_type: v.string() })),
  sources: v.record(v.string(), Node),
  exposures: v.record(v.string(), v.looseObject({ depends_on: v.looseObject({ nodes: v.array(v.string()) }) })),
});

function sample() {
  const file = path.join(root, 'local', 'seed', 'sample', 'manifest.json');
  const manifest = v.parse(Manifest, JSON.parse(readFileSync(file, 'utf8')));
  const models = Object.entries(manifest.nodes).filter(([, { resource_type }]) => resource_type === 'model');
  const nodes = new Map([...models, ...Object.entries(manifest.sources)].map(([id, one]) => [id, v.parse(Node, one)]));
  const nameOf = (id: string) => {
    const node = nodes.get(id);
    return node ? `${node.database}.${node.schema}.${node.name}` : id;
  };
  const reads = (ids: readonly string[]) => ids.filter((id) => nodes.has(id)).map(nameOf);
  const graph: KnownGraph = new Map([
    ...[...nodes].map(([id, { depends_on }]) => [nameOf(id), reads(depends_on.nodes)] as const),
    ...Object.entries(manifest.exposures).map(([id, { depends_on }]) => [id, reads(depends_on.nodes)] as const),
  ]);
  const codeOf = (name: string) => [...nodes].find(([id]) => nameOf(id) === name)?.[1].compiled_code ?? '';
  return { graph, codeOf };
}

const impact = (relation_ref: string, input: object = {}) => ({
  tool: 'get_impact',
  input: { relation_ref, ...input },
});
const paged = (call: { tool: string; input: object }) => {
  const next = { tool: call.tool, input: { ...call.input, cursor: '$cursor' } };
  return [{ tool: call.tool, input: { ...call.input } }, next, next];
};

/** Forty questions with known answers: half of them of the sample, half of the generated graph. */
export function allQuestions(branchFile: string): readonly Question[] {
  return [...ofSample(), ...ofGenerated(branchFile)];
}

function ofSample(): readonly Question[] {
  const { graph, codeOf } = sample();
  const down = (name: string) => reached(graph, name, 'downstream').flat();
  const up = (name: string) => reached(graph, name, 'upstream').flat();
  const inSchema = (names: readonly string[], schema: string) => names.filter((one) => one.startsWith(schema));
  const payments = 'shop.finance.fct_payments';
  const edge = { upstream: 'shop.intermediate.int_charges_net_of_refunds', downstream: payments };
  const readers = reached(graph, payments, 'downstream', 1).flat();
  const byColumn = readers.filter((name) => codeOf(name).includes('net_amount'));
  const one = (question: string, tool: string, input: object, says: readonly string[]): Question => ({
    question,
    calls: [{ tool, input: { ...input } }],
    says,
  });
  return [
    one('What can I see?', 'get_context', {}, ['warehouse', 'shop']),
    one('Where are orders staged?', 'search_relations', { query: 'stg orders' }, ['shop.staging.stg_orders']),
    one('Which tables have net_amount?', 'search_relations', { query: 'net_amount', in: 'columns' }, [payments]),
    one('Which columns do payments have?', 'get_relation', { relation_ref: payments }, [
      'payment_id',
      'paid_on',
      'net_amount',
    ]),
    {
      question: 'What reads staged orders directly?',
      calls: [impact('shop.staging.stg_orders', { distance: 1 })],
      says: reached(graph, 'shop.staging.stg_orders', 'downstream', 1).flat(),
    },
    { question: 'What depends on raw orders?', calls: paged(impact('shop.raw.orders')), says: down('shop.raw.orders') },
    {
      question: 'What depends on charges?',
      calls: paged(impact('shop.raw_stripe.charges')),
      says: down('shop.raw_stripe.charges'),
    },
    {
      question: 'Which reports depend on charges?',
      calls: [impact('shop.raw_stripe.charges', { schema: 'shop.reporting' })],
      says: inSchema(down('shop.raw_stripe.charges'), 'shop.reporting.'),
    },
    {
      question: 'Which dashboards depend on charges?',
      calls: [impact('shop.raw_stripe.charges', { kind: ['exposure'], max_depth: 5 })],
      says: inSchema(down('shop.raw_stripe.charges'), 'exposure.'),
    },
    {
      question: 'What feeds the board deck?',
      calls: paged(impact('exposure.shop.board_deck', { direction: 'upstream' })),
      says: up('exposure.shop.board_deck'),
    },
    {
      question: 'Which raw tables feed monthly finance?',
      calls: [impact('shop.reporting.rpt_finance_monthly', { direction: 'upstream', schema: 'shop.raw*' })],
      says: inSchema(up('shop.reporting.rpt_finance_monthly'), 'shop.raw'),
    },
    {
      question: 'Who uses net_amount of payments?',
      calls: [impact(payments, { columns: ['net_amount'] })],
      says: byColumn,
    },
    {
      question: 'What is net_amount made of?',
      calls: [impact(payments, { columns: ['net_amount'], direction: 'upstream', max_depth: 1, mappings: true })],
      says: [edge.upstream, '"to":"net_amount"'],
    },
    one('Why does that edge exist?', 'explain_edge', edge, ['"found":true', 'delivery_id', 'dbt_manifest']),
    one('What is the SQL of payments?', 'explain_edge', edge, ['net_amount', 'captured_on as paid_on']),
    one('A name with a letter missing', 'get_relation', { relation_ref: 'shop.finance.fct_payment' }, [payments]),
    {
      question: 'A column with a letter missing',
      calls: [impact(payments, { columns: ['net_amout'] })],
      says: ['unknown_column', 'net_amount'],
    },
    one('Which feeds report lineage?', 'list_feeds', {}, ['dbt_manifest', '"total"']),
    one('Where is evidence missing?', 'list_gaps', {}, ['"total"', 'feeds_checked']),
    one('Which expectations fail?', 'list_checks', {}, ['"state"', 'expectation']),
  ];
}

function ofGenerated(branchFile: string): readonly Question[] {
  const graph = generatedGraph();
  const counts = (steps: readonly string[][]) =>
    `"by_distance":${JSON.stringify(Object.fromEntries(steps.map((one, i) => [String(i + 1), one.length])))}`;
  const hub = reached(graph, 'big.core.hub', 'downstream', 1).flat();
  const places = [0, 57, 123, 199];
  const middle = (place: number) => tableOf(4 * layerSize + place);
  return [
    ...places.map((place) => {
      const steps = reached(graph, tableOf(place), 'downstream', 4);
      return {
        question: `How many relations depend on m${place}, by distance?`,
        calls: paged(impact(tableOf(place), { max_depth: 4 })),
        says: [counts(steps), ...steps.flat()],
      };
    }),
    ...places.map((place) => {
      const steps = reached(graph, middle(place), 'upstream', 3);
      return {
        question: `What feeds m${800 + place}, three steps up?`,
        calls: paged(impact(middle(place), { direction: 'upstream', max_depth: 3 })),
        says: [counts(steps), ...steps.flat()],
      };
    }),
    ...places.map((place) => {
      const names = (reached(graph, middle(place), 'upstream', 3)[2] ?? []).slice(0, 2);
      return {
        question: `Which columns three steps up make v of m${800 + place}?`,
        calls: [
          impact(middle(place), { columns: ['v'], direction: 'upstream', max_depth: 3, distance: 3, mappings: true }),
        ],
        says: [...names, '"from":"v"'],
      };
    }),
    {
      question: 'How many relations read the hub?',
      calls: [impact('big.core.hub', { max_depth: 1, limit: 5 })],
      says: [`"total":${hub.length}`],
    },
    ...[3, 7].map((n) => ({
      question: `Which relations of schema s${n} read the hub?`,
      calls: paged(impact('big.core.hub', { max_depth: 1, schema: `big.s${n}` })),
      says: hub.filter((name) => name.startsWith(`big.s${n}.`)),
    })),
    {
      question: 'Which reader of the hub ends in 42?',
      calls: [impact('big.core.hub', { max_depth: 1, name: '*42' })],
      says: hub.filter((name) => name.endsWith('42')),
    },
    {
      question: 'Is everything that reads the wide table counted?',
      calls: [impact('big.core.wide', { max_depth: 1, limit: 5 })],
      says: ['Only the nearest 500 relations are counted', 'more follow'],
    },
    {
      question: 'Where is m1234?',
      calls: [{ tool: 'search_relations', input: { query: 'm1234' } }],
      says: ['big.s4.m1234'],
    },
    {
      question: 'What breaks if this branch is merged?',
      calls: [{ tool: 'diff_branch', input: { path: branchFile, grade: ['breaking'] } }],
      says: ['"grade":"breaking"', tableOf(1_000)],
    },
    {
      question: 'What changed of m1000 in the last hour?',
      calls: [{ tool: 'get_history', input: { relation_ref: tableOf(1_000), from: '$hour' } }],
      says: ['"change":"added"', ...(graph.get(tableOf(1_000)) ?? [])],
    },
  ];
}

/** The generated project without the value of one relation that others read. */
export function branch() {
  const manifest = generatedManifest();
  const id = `model.big.m1000`;
  const node = manifest.nodes[id];
  if (node === undefined) throw new Error('The manifest has no such model.');
  const changed = { ...node, compiled_code: node.compiled_code.replace(/, t0\.v .* as v /, ' ') };
  return { ...manifest, nodes: { ...manifest.nodes, [id]: changed } };
}
