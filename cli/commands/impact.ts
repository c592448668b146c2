import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { ApiFailure, readAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { limits } from '../../shared/contract/limits.ts';
import { directions, influences, verdicts } from '../../shared/contract/vocabulary.ts';
import { appendValue, type Context, moment, rangeOption, serves, share, someOf } from '../framework.ts';
import { describeAnswer } from '../impact/describe-answer.ts';
import { impactCsv, impactDot, impactMermaid } from '../impact/formats.ts';
import { unknownColumns, unresolvedRelation } from '../impact/resolution.ts';
import { answersFromFiles, type FileOptions, sessionOrFiles } from '../offline/lineage-files.ts';
import { type ExitCode, exitCodes, notFound, type Outcome } from '../outcome.ts';
import type { Place, Session } from '../session.ts';
import { outputColors, printableJson } from '../terminal/terminal.ts';

type Options = FileOptions & {
  readonly column?: readonly string[];
  readonly direction?: string;
  readonly depth?: number;
  readonly nodes?: number;
  readonly asOf?: string;
  readonly includeStale?: boolean;
  readonly minConfidence?: number;
  readonly influence?: string;
  readonly verdict?: readonly string[];
  readonly format: 'table' | 'json' | 'csv' | 'mermaid' | 'dot';
};

export function registerImpact(program: Command, context: Context): void {
  answersFromFiles(program.command('impact'))
    .description('shows what feeds a relation or its columns, and what breaks if they change')
    .argument('<ref>', 'a relation, such as shop.core.orders')
    .option('--column <name>', 'a column of it; repeatable', appendValue)
    .addOption(new Option('--direction <direction>', 'direction to follow').choices(directions))
    .addOption(rangeOption('--depth <n>', 'maximum number of steps', limits.impact.depth))
    .addOption(rangeOption('--nodes <n>', 'maximum number of relations', limits.impact.nodes))
    .option('--as-of <time>', 'the graph at this time', moment)
    .option('--include-stale', 'also follow edges without current evidence')
    .option('--min-confidence <share>', 'only follow edges with at least this confidence, 0 to 1', share)
    .addOption(
      new Option(
        '--influence <influence>',
        'direct: only columns whose values are used; all: also filters, joins and groupings',
      ).choices(influences),
    )
    .option('--verdict <verdict>', `only edges with this verdict: ${verdicts.join(', ')}; repeatable`, someOf(verdicts))
    .addOption(
      new Option('--format <format>', 'output format')
        .choices(['table', 'json', 'csv', 'mermaid', 'dot'])
        .default('table'),
    )
    .action(serves(context, impact, sessionOrFiles));
}

async function impact(session: Session, [ref = '']: readonly string[], options: Options): Promise<Outcome> {
  const { column: columns = [] } = options;
  const connectors = await connectorsKnowing(session, ref, options.asOf);
  const [first, ...others] = connectors;
  const found = await askImpact(session, first, ref, options);
  const answers = [found];
  for (const connector of others) answers.push(await askImpact(session, connector, ref, options));
  const { json, answer } = found;
  const candidates = answers.flatMap((one) => one.answer.lineage_resolution.candidates ?? []);
  const resolution = { ...answer.lineage_resolution, candidates };
  const failure = unresolvedRelation(ref, connectors, resolution) ?? (await unknownColumns(session, found, columns));
  if (failure) return { json, text: () => '', failure };
  return { json, text: () => textOf(session, answer, options), exitCode: exitCodeOf(answer) };
}

/** Nothing evaluated is no success, unless only what feeds the relation was requested. */
const exitCodeOf = ({ claim: { kind, counts } }: ImpactAnswer): ExitCode =>
  kind === 'not_evaluated' && counts.feeds === undefined ? exitCodes.notFound : exitCodes.done;

async function askImpact(session: Session, connector: Place, ref: string, options: Options) {
  const { column: columns = [] } = options;
  const json = await session.ask(routes.getImpact, {
    query: {
      connector_id: connector.id,
      relation_ref: ref,
      column_ref: columns,
      direction: options.direction,
      max_depth: options.depth,
      max_nodes: options.nodes,
      as_of: options.asOf,
      include_stale: options.includeStale,
      min_confidence: options.minConfidence,
      influence: options.influence,
      verdict: options.verdict,
    },
  });
  return { connector, json, answer: readAnswer(routes.getImpact, json) };
}

function textOf({ terminal }: Session, answer: ImpactAnswer, { column: columns = [], format }: Options): string {
  const texts = {
    json: () => printableJson(answer, 2),
    csv: () => impactCsv(answer),
    mermaid: () => impactMermaid(answer),
    dot: () => impactDot(answer),
    table: () => describeAnswer(answer, columns, outputColors(terminal)),
  };
  return texts[format]();
}

/** The chosen connector, or the one that knows the name, else all (C-IDENTITY-16). Throws if several know the name. */
async function connectorsKnowing(
  session: Session,
  relation_ref: string,
  as_of?: string,
): Promise<readonly [Place, ...Place[]]> {
  const [first, ...others] = await session.connectors();
  if (first === undefined) throw notFound('There is no connector.');
  if (others.length === 0) return [first];
  try {
    const found = v.parse(Owned, await session.ask(routes.getRelation, { query: { relation_ref, as_of } }));
    // What no connector owns is the same relation on each of them.
    return [[first, ...others].find(({ id }) => id === found.connector_id) ?? first];
  } catch (error) {
    if (error instanceof ApiFailure && error.detail?.code === 'not_found') return [first, ...others];
    throw error;
  }
}

const Owned = v.object({ connector_id: v.nullable(v.string()) });
