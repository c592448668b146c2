import * as v from 'valibot';
import { requestAnswer, requestItems } from '../../client/api.ts';
import type { AgentCheckResponse } from '../../contract/agent-checks.ts';
import { routes } from '../../contract/api/routes.ts';
import { limitLines } from '../../contract/claim-words.ts';
import type { Gap } from '../../contract/gaps.ts';
import { gapStatuses, providerStatuses } from '../../contract/vocabulary.ts';
import { listTool } from '../pages.ts';
import { placeOf, workspaceOf } from '../places.ts';
import { firstOf, NotUnderstood, optionalText, outside, placeArguments, type ToolContext } from '../tool.ts';

export const getContext = listTool({
  name: 'get_context',
  title: 'Get what you can see',
  description:
    'Lists the workspaces that the token may read, and their connectors with kind, status, number of tables and up to five of the most connected tables. Call it first if you do not know which workspace or connector to name.',
  list: 'connectors',
  limit: { most: 50, usual: 20 },
  input: {},
  run: async ({ api }) => {
    const { workspaces } = await requestAnswer(api, routes.getAgentContext);
    const items = workspaces.flatMap(({ connectors, ...workspace }) =>
      connectors.map(({ sample_tables, last_error, ...connector }) => ({
        workspace,
        ...connector,
        last_error: last_error && outside(last_error, 300),
        sample_tables: sample_tables.slice(0, 5),
      })),
    );
    return { items, advice: ['Call search_relations to find a table.'] };
  },
});

export const listFeeds = listTool({
  name: 'list_feeds',
  title: 'List feeds',
  description:
    'Lists the feeds that send lineage evidence, with their status, last delivery and number of gaps. Use it to judge how current and complete the lineage is.',
  list: 'feeds',
  limit: { most: 50, usual: 30 },
  input: { status: v.optional(v.picklist(providerStatuses)), ...placeArguments },
  run: async (context, { status, ...named }) => {
    const query = { ...(await placeOf(context, named)), status };
    const feeds = await requestItems(context.api, routes.listProviders, { query });
    const items = feeds.map(({ display_name, ...feed }) => ({ ...feed, display_name: outside(display_name, 200) }));
    return { items, advice: ['Call list_gaps to see where evidence is missing.'] };
  },
});

export const listGaps = listTool({
  name: 'list_gaps',
  title: 'List gaps',
  description:
    'Lists known gaps in the evidence: feeds that are silent, deliveries that are waiting, quarantined or unresolved, and names that look like another relation’s. Use it when lineage is missing or looks incomplete: near a gap, missing lineage proves nothing.',
  list: 'gaps',
  limit: { most: 50, usual: 20 },
  input: {
    provider_instance_id: optionalText('Id of a feed from list_feeds. Omit for all feeds.'),
    status: v.optional(v.picklist(gapStatuses), 'open'),
    ...placeArguments,
  },
  run: async (context, { provider_instance_id, status, ...named }) => {
    const place = await placeOf(context, named);
    const all = await requestItems(context.api, routes.listProviders, { query: place });
    const feeds = all.filter(({ id }) => (provider_instance_id ?? id) === id);
    if (feeds.length === 0 && provider_instance_id !== undefined)
      throw new NotUnderstood('unknown_feed', 'No feed here has this id. Call list_feeds for the ids.');
    const items: (Gap & { provider_instance_id: string })[] = [];
    for (const { id } of feeds.filter(({ open_gap_count }) => status !== 'open' || open_gap_count > 0)) {
      const query = { workspace_id: place.workspace_id, status };
      const gaps = await requestItems(context.api, routes.listGaps, { params: { provider_instance_id: id }, query });
      items.push(...gaps.map((gap) => ({ ...gap, provider_instance_id: id })));
    }
    const advice = ['Call list_feeds to see the status of each feed.'];
    return { items: items.map(shownGap), fields: { status, feeds_checked: feeds.length }, advice };
  },
});

function shownGap({ details, ...gap }: Gap) {
  const { namespaces = [], unresolved = [], look_alikes, reason, command, ...figures } = details;
  return {
    ...gap,
    ...figures,
    reason: outside(reason, 500),
    ...(namespaces.length > 0 && { namespaces: firstOf(namespaces, 10) }),
    ...(unresolved.length > 0 && { unresolved: firstOf(unresolved, 10) }),
    ...(look_alikes && { look_alikes: { count: look_alikes.count, pairs: firstOf(look_alikes.pairs, 5) } }),
    ...(command && { command: outside(command, 500) }),
  };
}

export const listChecks = listTool({
  name: 'list_checks',
  title: 'List checks',
  description:
    'Lists the checks of a workspace, which are expectations about the lineage, with the state of each at its last evaluation, since when, and up to five violations. Use it to see whether the lineage is as its owners expect.',
  list: 'checks',
  limit: { most: 20, usual: 10 },
  input: { workspace: placeArguments.workspace },
  run: async (context, named) => {
    const query = { workspace_id: await workspaceOf(context, named) };
    const { agent_checks, max_enabled } = await requestAnswer(context.api, routes.listChecks, { query });
    const items = agent_checks.map((check) => () => shownCheck(context, check));
    return { items, fields: { max_enabled }, advice: ['Call get_impact to see the lineage that a check covers.'] };
  },
});

async function shownCheck(
  { api }: ToolContext,
  { id, workspace_id, name, expectation, scope, ...check }: AgentCheckResponse,
) {
  const question = { params: { check_id: id }, query: { workspace_id, limit: 1 } };
  const [last] = (await requestAnswer(api, routes.listCheckResults, question)).items;
  const { include, exclude } = scope;
  return {
    id,
    name: outside(name),
    expectation: outside(expectation),
    enabled: check.enabled,
    severity: check.severity,
    scope: { include: firstOf(include, 5), exclude: firstOf(exclude, 5) },
    state: last?.state ?? 'not_evaluated',
    ...(last && {
      since: last.since,
      evaluated_at: last.evaluated_at,
      violations: { ...firstOf(last.violations, 5), total: last.violations_total },
      ...(last.claim && { limits: limitLines(last.claim).map((line) => outside(line, 500)) }),
    }),
  };
}
