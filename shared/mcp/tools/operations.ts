import * as v from 'valibot';
import { allPages } from '../../client/pages.ts';
import { AgentCheckListResponse } from '../../contract/agent-checks.ts';
import { routes } from '../../contract/api/routes.ts';
import { GapPage } from '../../contract/gaps.ts';
import { ProviderPage } from '../../contract/providers.ts';
import { gapStatuses } from '../../contract/vocabulary.ts';
import { placeOrWorkspaceOf, workspaceOf } from '../places.ts';
import { cut, optionalText, placeArguments, type ToolContext, tool } from '../tool.ts';

const shown = 50;

type Named = { readonly workspace?: string | undefined; readonly connector?: string | undefined };

async function feedsOf(context: ToolContext, named: Named) {
  const place = await placeOrWorkspaceOf(context, named);
  return {
    ...place,
    feeds: v.parse(ProviderPage, await allPages(context.api, routes.listProviders, { query: place })).items,
  };
}

export const listFeeds = tool({
  name: 'list_feeds',
  title: 'List feeds',
  description:
    'Lists the feeds that send lineage evidence, with their status, last delivery and number of gaps. Use it to judge how current and complete the lineage is. Returns up to 50 feeds.',
  input: v.object(placeArguments),
  run: async (context, named) => {
    const { items, left_out } = cut((await feedsOf(context, named)).feeds, shown);
    return { feeds: items, truncated: left_out > 0, next: 'Call list_gaps to see where evidence is missing.' };
  },
});

export const listGaps = tool({
  name: 'list_gaps',
  title: 'List gaps',
  description:
    'Lists known gaps in the evidence: feeds that are silent, and deliveries that are waiting, quarantined or unresolved. Use it when lineage is missing or looks incomplete: near a gap, missing lineage proves nothing. Returns up to 50 gaps.',
  input: v.object({
    provider_instance_id: optionalText('Id of a feed from list_feeds. Omit for all feeds.'),
    status: v.optional(v.picklist(gapStatuses), 'open'),
    ...placeArguments,
  }),
  run: async (context, { provider_instance_id, status, ...named }) => {
    const { workspace_id, feeds } = await feedsOf(context, named);
    const selectedFeeds = feeds.filter(({ id }) => provider_instance_id === undefined || id === provider_instance_id);
    const gaps = [];
    for (const { id, display_name } of selectedFeeds) {
      const question = { params: { provider_instance_id: id }, query: { workspace_id, status } };
      const page = v.parse(GapPage, await allPages(context.api, routes.listGaps, question, shown));
      gaps.push(...page.items.map((gap) => ({ ...gap, provider_instance_id: id, provider: display_name })));
    }
    const { items, left_out } = cut(gaps, shown);
    return {
      gaps: items,
      feeds_checked: selectedFeeds.length,
      truncated: left_out > 0,
      next: 'Call list_feeds to see the status of each feed.',
    };
  },
});

export const listChecks = tool({
  name: 'list_checks',
  title: 'List checks',
  description:
    'Lists the checks of a workspace: expectations about the lineage that are evaluated after each change. Returns up to 50 checks with their definitions, not their results.',
  input: v.object({ workspace: placeArguments.workspace }),
  run: async (context, named) => {
    const query = { workspace_id: await workspaceOf(context, named) };
    const answer = v.parse(AgentCheckListResponse, await context.api.ask(routes.listChecks, { query }));
    const { items, left_out } = cut(answer.agent_checks, shown);
    return {
      checks: items,
      max_enabled: answer.max_enabled,
      truncated: left_out > 0,
      next: 'Call get_impact to see the lineage that a check covers.',
    };
  },
});
