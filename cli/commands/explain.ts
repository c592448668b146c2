import type { Command } from 'commander';
import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { EdgeExplanation, type ExplainedEvidence } from '../../shared/contract/explain.ts';
import { notFound } from '../command-error.ts';
import { type Context, moment, serves } from '../framework.ts';
import { unresolvedRelation } from '../impact/resolution.ts';
import type { Outcome } from '../outcome.ts';
import { askConnectors, type ConnectorAnswer } from '../service/ask-connectors.ts';
import type { Place, Session } from '../session.ts';
import { printable, printableLines } from '../terminal/printable.ts';
import { type Colors, outputColors } from '../terminal/terminal.ts';

type Options = { readonly column?: string; readonly asOf?: string };

export function registerExplain(program: Command, context: Context): void {
  program
    .command('explain')
    .description('how it is known that one relation feeds another: every piece of evidence')
    .argument('<upstream>', 'the relation that is read')
    .argument('<downstream>', 'the relation that is made of it')
    .option('--column <name>', 'a column of either relation: only the mappings that it takes part in')
    .option('--as-of <time>', 'as it was known at a time', moment)
    .action(serves(context, explain));
}

async function explain(session: Session, ends: readonly string[], { column, asOf }: Options): Promise<Outcome> {
  const [upstream = '', downstream = ''] = ends;
  const [api, workspace] = [await session.api(), await session.workspace()];
  const ask = async (connector: Place) => {
    const query = { upstream, downstream, column_ref: column, as_of: asOf };
    const place = { workspace_id: workspace.id, connector_id: connector.id };
    const json = await api.ask(routes.explainEdge, { query: { ...place, ...query } });
    return { connector, json, answer: v.parse(EdgeExplanation, json) };
  };
  const answers = await askConnectors(session, ask, edgeOf);
  const [{ json, answer }] = answers;
  const failure = unknownEnd(upstream, downstream, answers) ?? (answer.found ? null : noEdge(answer));
  return { json, text: () => describe(answer, outputColors(session.terminal)), ...(failure && { failure }) };
}

/** Null where a connector does not know both ends. */
const edgeOf = ({ upstream, downstream }: EdgeExplanation): string | null =>
  [upstream, downstream].every(({ lineage_resolution }) => lineage_resolution.method !== 'unresolved')
    ? `${upstream.relation_ref} → ${downstream.relation_ref}`
    : null;

/** Each end may be known on another connector: only what none knows is named as missing. */
function unknownEnd(upstream: string, downstream: string, answers: readonly ConnectorAnswer<EdgeExplanation>[]) {
  const ends = (end: 'upstream' | 'downstream') =>
    answers.map(({ connector, answer }) => ({ connector, lineage_resolution: answer[end].lineage_resolution }));
  const failure = unresolvedRelation(upstream, ends('upstream')) ?? unresolvedRelation(downstream, ends('downstream'));
  if (failure || answers.some(({ answer }) => edgeOf(answer) !== null)) return failure;
  return notFound(
    `No connector knows both ${printable(JSON.stringify(upstream))} and ${printable(JSON.stringify(downstream))}.`,
    ['Name the one of another connector as its answers name it, with --connector.'],
  );
}

const noEdge = ({ upstream, downstream }: EdgeExplanation) =>
  notFound(
    `Nothing says that ${printable(upstream.relation_ref)} feeds ${printable(downstream.relation_ref)} directly.`,
    [`tributary impact ${printable(upstream.relation_ref)} lists what it feeds.`],
  );

function describe(answer: EdgeExplanation, style: Colors): string {
  const { upstream, downstream, status, confidence, evidence, column_ref, column_unresolved_reason } = answer;
  const edge = printable(`${upstream.relation_ref} → ${downstream.relation_ref}`);
  const unknown = `${column_unresolved_reason}: neither relation is known to have a column ${printable(column_ref ?? '')}`;
  return [
    style.bold(`${edge}  ${status}, confidence ${confidence}`),
    ...(column_unresolved_reason === null ? [] : [style.yellow(unknown)]),
    ...evidence.flatMap((one) => ['', ...evidenceLines(one, style)]),
  ].join('\n');
}

function evidenceLines(one: ExplainedEvidence, style: Colors): string[] {
  const said = one.said_by.map(({ kind, pointer }) => `${kind} at ${pointer}`);
  const columns = one.columns.map(({ upstream, downstream, subtype }) =>
    [`${upstream} → ${downstream ?? 'every column'}`, subtype ? ` (${subtype})` : ''].join(''),
  );
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [
      'says',
      [one.provider_type, one.producer && `${one.producer.namespace}/${one.producer.name}`].filter(Boolean).join(', '),
    ],
    ['observed', one.observed_at],
    ['counts', `${one.disposition}, weight ${one.weight}: ${one.why.message}`],
    ['statement', one.statement_kind],
    ['principal', one.principal],
    ['engine', one.engine],
    ['delivery', one.delivery?.delivery_id ?? one.delivery_missing_reason?.replaceAll('_', ' ')],
    ['place', said.join('; ')],
    ['columns', columns.join(', ')],
    ['unresolved', one.columns_unresolved.map(({ column, reason }) => `${column ?? 'all'}: ${reason}`).join(', ')],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value ? [`  ${style.dim(name.padEnd(10))} ${printable(value)}`] : [],
  );
  const sql = one.sql ? printableLines(one.sql.text.trim()).split('\n') : [];
  return [...lines, ...sql.map((line) => style.cyan(`    ${line}`))];
}
