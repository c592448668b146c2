import type { Command } from 'commander';
import { readAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { EdgeExplanation, ExplainedEvidence } from '../../shared/contract/explain.ts';
import { verdictText } from '../../shared/contract/vocabulary.ts';
import { type Context, moment, serves } from '../framework.ts';
import { unresolvedRelation } from '../impact/resolution.ts';
import { answersFromFiles, type FileOptions, sessionOrFiles } from '../offline/lineage-files.ts';
import { notFound, type Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { type Colors, outputColors, printable, printableLines } from '../terminal/terminal.ts';

type Options = FileOptions & { readonly column?: string; readonly asOf?: string };

export function registerExplain(program: Command, context: Context): void {
  answersFromFiles(program.command('explain'))
    .description('shows every piece of evidence that one relation feeds another')
    .argument('<upstream>', 'the source relation')
    .argument('<downstream>', 'the relation that reads it')
    .option('--column <name>', 'only mappings of this column, of either relation')
    .option('--as-of <time>', 'the state of knowledge at this time', moment)
    .action(serves(context, explain, sessionOrFiles));
}

async function explain(session: Session, ends: readonly string[], { column, asOf }: Options): Promise<Outcome> {
  const [upstream = '', downstream = ''] = ends;
  const connector_id = (await session.namedConnector())?.id;
  const query = { upstream, downstream, column_ref: column, as_of: asOf, connector_id };
  const json = await session.ask(routes.explainEdge, { query });
  const answer = readAnswer(routes.explainEdge, json);
  const connectors = await session.connectors();
  const unknown = (ref: string, end: 'upstream' | 'downstream') =>
    unresolvedRelation(ref, connectors, answer[end].lineage_resolution);
  const failure =
    unknown(upstream, 'upstream') ??
    unknown(downstream, 'downstream') ??
    (answer.found ? unknownColumn(answer) : noEdge(answer));
  return { json, text: () => describe(answer, outputColors(session.terminal)), ...(failure && { failure }) };
}

const noEdge = ({ upstream, downstream }: EdgeExplanation) =>
  notFound(
    `There is no evidence that ${printable(upstream.relation_ref)} feeds ${printable(downstream.relation_ref)} directly.`,
    [`tributary impact ${printable(upstream.relation_ref)} lists what it feeds.`],
  );

const unknownColumn = ({ column_ref, column_unresolved_reason }: EdgeExplanation) =>
  column_unresolved_reason === null
    ? null
    : notFound(`Neither relation is known to have a column ${printable(JSON.stringify(column_ref))}.`, [
        'Without --column the result covers all mappings of the edge.',
      ]);

function describe(answer: EdgeExplanation, style: Colors): string {
  const { upstream, downstream, verdict } = answer;
  const edge = printable(`${upstream.relation_ref} → ${downstream.relation_ref}`);
  return [
    style.bold(`${edge}  ${answer.status}, confidence ${answer.confidence}`),
    ...(verdict ? [`  ${verdictText(verdict, answer.verdict_reason)}`] : []),
    ...answer.evidence.flatMap((one) => ['', ...evidenceLines(one, style)]),
  ].join('\n');
}

function evidenceLines(one: ExplainedEvidence, style: Colors): string[] {
  const places = one.said_by.map(({ kind, pointer }) => `${kind} at ${pointer}`);
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
    ['parts', one.parts.join(', ')],
    ['place', places.join('; ')],
    ['columns', columns.join(', ')],
    ['unresolved', one.columns_unresolved.map(({ column, reason }) => `${column ?? 'all'}: ${reason}`).join(', ')],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value ? [`  ${style.dim(name.padEnd(10))} ${printable(value)}`] : [],
  );
  const sql = one.sql ? printableLines(one.sql.text.trim()).split('\n') : [];
  return [...lines, ...sql.map((line) => style.cyan(`    ${line}`))];
}
