import { parseArgs, styleText } from 'node:util';
import * as v from 'valibot';
import { ImpactAnswer } from '../shared/contract/impact.ts';
import { directions } from '../shared/contract/vocabulary.ts';
import { UsageError } from './admin/command.ts';
import { apiOf } from './impact/api.ts';
import { describeAnswer } from './impact/describe-answer.ts';

const usage = `tributary impact RELATION [--column NAME …] [--direction upstream|downstream|both] [--depth N] [--json]
    --credentials FILE [--workspace NAME] [--connector NAME]      of a local service
    --url URL --workspace ID --connector ID                       of a deployment; the token is in TRIBUTARY_TOKEN`;

const options = {
  column: { type: 'string', multiple: true },
  direction: { type: 'string', default: 'downstream' },
  depth: { type: 'string' },
  json: { type: 'boolean', default: false },
  credentials: { type: 'string' },
  url: { type: 'string' },
  workspace: { type: 'string' },
  connector: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Asks a service what feeds a relation, or what breaks with it; answers what is printed. Throws UsageError. */
export async function impact(args: readonly string[]): Promise<string> {
  const { values, positionals } = parsed(args);
  const { column: columns = [] } = values;
  const [relation, ...others] = positionals;
  if (values.help) return usage;
  if (relation === undefined || others.length > 0 || !directions.some((one) => one === values.direction))
    throw new UsageError(usage);
  const api = await apiOf(values);
  const query = new URLSearchParams({
    workspace_id: api.workspaceId,
    connector_id: api.connectorId,
    relation_ref: relation,
    direction: values.direction,
    ...(values.depth && { max_depth: values.depth }),
  });
  for (const column of columns) query.append('column_ref', column);
  const answer = await api.get(`/v1/lineage/impact?${query}`);
  if (values.json) return JSON.stringify(answer, null, 2);
  return describeAnswer(v.parse(ImpactAnswer, answer), columns, styleText);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the options cannot be read');
  }
}
