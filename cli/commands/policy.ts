import type { Command } from 'commander';
import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { LineagePolicy, PutPolicy } from '../../shared/contract/policy.ts';
import { UsageError } from '../command-error.ts';
import { readJsonFile } from '../files.ts';
import { type Context, serves } from '../framework.ts';
import type { Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable, printableJson } from '../terminal/printable.ts';

export function registerPolicy(program: Command, context: Context): void {
  const policy = program.command('policy').description('what evidence counts for a connector');
  policy.command('get').description('shows the policy and how far its recount has come').action(serves(context, get));
  policy
    .command('put')
    .argument('<file>', 'JSON: filters, or { "filters": …, "fusion_weights": …, "expected_revision": … }')
    .description('makes a new revision; it holds at once')
    .action(serves(context, put));
}

async function get(session: Session): Promise<Outcome> {
  const [api, workspace, connector] = [await session.api(), await session.workspace(), await session.connector()];
  const params = { connector_id: connector.id };
  const json = await api.ask(routes.getPolicy, { params, query: { workspace_id: workspace.id } });
  return { json, text: () => describe(json) };
}

async function put(session: Session, [file = '']: readonly string[]): Promise<Outcome> {
  const [api, workspace, connector] = [await session.api(), await session.workspace(), await session.connector()];
  const body = policyIn(session, file, workspace.id);
  const json = await api.ask(routes.putPolicy, { params: { connector_id: connector.id }, body });
  return { json, text: () => describe(json) };
}

/** The body of a PUT, from a file of filters, of that body, or of what `policy get --json` printed. */
function policyIn({ terminal }: Session, file: string, workspace_id: string): PutPolicy {
  const content = readJsonFile(terminal, file);
  const record = v.parse(v.looseObject({}), content);
  const { filters = record, fusion_weights, expected_revision } = record;
  const body = {
    workspace_id,
    filters,
    ...(fusion_weights !== undefined && { fusion_weights }),
    ...(expected_revision !== undefined && { expected_revision }),
  };
  const parsed = v.safeParse(PutPolicy, body);
  if (parsed.success) return parsed.output;
  throw new UsageError(
    `${file} is not a policy.`,
    parsed.issues.map((issue) => printable(`/${v.getDotPath(issue)?.replaceAll('.', '/') ?? ''} ${issue.message}`)),
  );
}

function describe(json: unknown): string {
  const { revision, created_by, created_at, filters, fusion_weights, repair } = v.parse(LineagePolicy, json);
  return [
    revision === 0 ? 'revision 0, the safe default' : printable(`revision ${revision} by ${created_by}, ${created_at}`),
    `recount: ${repair.state}, ${repair.evidence_checked} of ${repair.evidence_total} checked, ${repair.suppressed} suppressed`,
    printableJson({ filters, fusion_weights }, 2),
  ].join('\n');
}
