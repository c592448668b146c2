import type { Command } from 'commander';
import * as v from 'valibot';
import { requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { fieldErrors } from '../../shared/contract/field-errors.ts';
import { type LineagePolicy, type PolicyPreview, PutPolicy } from '../../shared/contract/policy.ts';
import { sortedBy } from '../../shared/domain/base/collections.ts';
import { isJsonObject } from '../../shared/domain/base/json/read-json.ts';
import { readJsonFile } from '../files.ts';
import { type Context, serves } from '../framework.ts';
import { type Outcome, requestOutcome, UsageError } from '../outcome.ts';
import type { Session } from '../session.ts';
import { counted, printable, printableJson, table } from '../terminal/terminal.ts';

export function registerPolicy(program: Command, context: Context): void {
  const policy = program.command('policy').description('what evidence counts for a connector');
  policy.command('get').description('shows the policy and the progress of its recount').action(serves(context, get));
  policy
    .command('put')
    .argument('<file>', 'JSON: filters, or { "filters": …, "fusion_weights": …, "expected_revision": … }')
    .description('creates a new revision, effective immediately')
    .action(serves(context, put));
  policy
    .command('preview')
    .argument('<file>', 'JSON, as for put')
    .description('previews which edges a policy would hide, show or weigh differently; changes nothing')
    .action(serves(context, preview));
}

async function get(session: Session): Promise<Outcome> {
  const params = { connector_id: (await session.connector()).id };
  return requestOutcome(session, routes.getPolicy, { params }, describe);
}

async function put(session: Session, [file = '']: readonly string[]): Promise<Outcome> {
  const body = policyIn(session, file, (await session.workspace()).id);
  const params = { connector_id: (await session.connector()).id };
  return requestOutcome(session, routes.putPolicy, { params, body }, describe);
}

async function preview(session: Session, [file = '']: readonly string[]): Promise<Outcome> {
  const { expected_revision: _, ...body } = policyIn(session, file, (await session.workspace()).id);
  const params = { connector_id: (await session.connector()).id };
  const parts: PolicyPreview[] = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = parts.at(-1)?.next_cursor ?? null) {
    session.progress.say('comparing the edges of the connector');
    const query = { ...body, ...(cursor !== undefined && { cursor }) };
    parts.push(await requestAnswer(session, routes.previewPolicy, { params, body: query }));
  }
  const [first] = parts;
  const sum = (of: (part: PolicyPreview) => number) => parts.reduce((total, part) => total + of(part), 0);
  const unlisted = sum((one) => one.unlisted);
  const json = {
    ...first,
    edges_compared: sum((one) => one.edges_compared),
    hidden: sum((one) => one.hidden),
    shown: sum((one) => one.shown),
    weighed: sum((one) => one.weighed),
    items: parts.flatMap(({ items }) => items),
    unlisted,
    truncated: { any: unlisted > 0, by_requests: false },
    next_cursor: null,
    cost: { read_units: sum(({ cost }) => cost.read_units), requests: sum(({ cost }) => cost.requests) },
  };
  return { json, items: json.items, text: () => previewText(json) };
}

type Changes = Pick<PolicyPreview, 'edges_compared' | 'hidden' | 'shown' | 'weighed' | 'items' | 'unlisted'>;

function previewText({ edges_compared, hidden, shown, weighed, items, unlisted }: Changes): string {
  const counts = `${hidden} would be hidden, ${shown} shown, ${weighed} weighed otherwise; ${counted(edges_compared, 'edge')} compared.`;
  const inOrder = sortedBy(
    items,
    ({ change }) => change,
    ({ upstream }) => upstream,
    ({ downstream }) => downstream,
  );
  const rows = inOrder.map(({ change, upstream, downstream, before, after, dispositions }) => ({
    CHANGE: change,
    UPSTREAM: upstream,
    DOWNSTREAM: downstream,
    CONFIDENCE: `${before.confidence} → ${after.confidence}`,
    EVIDENCE: dispositions.join(', '),
  }));
  return [
    ...(rows.length > 0 ? [...table(rows), ''] : []),
    ...(unlisted > 0 ? [`${unlisted} more are not listed.`] : []),
    counts,
  ].join('\n');
}

/** The body of a PUT, from a file with filters, with such a body, or with the output of `policy get --json`. */
function policyIn({ terminal }: Session, file: string, workspace_id: string): PutPolicy {
  const content = readJsonFile(terminal, file);
  const { filters = content, fusion_weights, expected_revision } = isJsonObject(content) ? content : {};
  const parsed = v.safeParse(PutPolicy, { workspace_id, filters, fusion_weights, expected_revision });
  if (parsed.success) return parsed.output;
  throw new UsageError(
    `${file} is not a policy.`,
    fieldErrors('', parsed.issues).map(({ path, message }) => printable(`${path} ${message}`)),
  );
}

function describe({ revision, created_by, created_at, filters, fusion_weights, repair }: LineagePolicy): string {
  return [
    revision === 0 ? 'revision 0, the safe default' : printable(`revision ${revision} by ${created_by}, ${created_at}`),
    `recount: ${repair.state}, ${repair.evidence_checked} of ${repair.evidence_total} checked, ${repair.suppressed} suppressed`,
    printableJson({ filters, fusion_weights }, 2),
  ].join('\n');
}
