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
  description: 'Lists the feeds that evidence comes from, how they do, and how many gaps they have.',
  input: v.object(placeArguments),
  run: async (context, named) => {
    const { items, left_out } = cut((await feedsOf(context, named)).feeds, shown);
    return { feeds: items, truncated: left_out > 0, next: 'list_gaps tells where feeds fall short.' };
  },
});

export const listGaps = tool({
  name: 'list_gaps',
  title: 'List gaps',
  description:
    'Lists where feeds fall short: what is silent, waiting, quarantined or unresolved. Absent lineage means little beside one.',
  input: v.object({
    provider_instance_id: optionalText('The gaps of one feed.'),
    status: v.optional(v.picklist(gapStatuses), 'open'),
    ...placeArguments,
  }),
  run: async (context, { provider_instance_id, status, ...named }) => {
    const { workspace_id, feeds } = await feedsOf(context, named);
    const asked = feeds.filter(({ id }) => provider_instance_id === undefined || id === provider_instance_id);
    const gaps = [];
    for (const { id, display_name } of asked) {
      const question = { params: { provider_instance_id: id }, query: { workspace_id, status } };
      const page = v.parse(GapPage, await allPages(context.api, routes.listGaps, question, shown));
      gaps.push(...page.items.map((gap) => ({ ...gap, provider_instance_id: id, provider: display_name })));
    }
    const { items, left_out } = cut(gaps, shown);
    return {
      gaps: items,
      feeds_checked: asked.length,
      truncated: left_out > 0,
      next: 'list_feeds tells how the feeds do.',
    };
  },
});

export const listChecks = tool({
  name: 'list_checks',
  title: 'List checks',
  description: 'Lists the expectations that are checked after each change of the lineage.',
  input: v.object({ workspace: placeArguments.workspace }),
  run: async (context, named) => {
    const query = { workspace_id: await workspaceOf(context, named) };
    const answer = v.parse(AgentCheckListResponse, await context.api.ask(routes.listChecks, { query }));
    const { items, left_out } = cut(answer.agent_checks, shown);
    return {
      checks: items,
      max_enabled: answer.max_enabled,
      truncated: left_out > 0,
      next: 'get_impact shows the lineage that a check is about.',
    };
  },
});
