import * as v from 'valibot';
import { allPages } from '../../client/pages.ts';
import { AgentCheckListResponse, AgentCheckResultPage } from '../../contract/agent-checks.ts';
import { AgentContextResponse } from '../../contract/agent-context.ts';
import { routes } from '../../contract/api/routes.ts';
import { GapPage } from '../../contract/gaps.ts';
import { ProviderPage } from '../../contract/providers.ts';
import { gapStatuses, providerStatuses } from '../../contract/vocabulary.ts';
import { pageArguments, pageAt, pageFields, positionOf } from '../pages.ts';
import { type Named, placeOf, workspaceOf } from '../places.ts';
import { firstOf, optionalText, outside, placeArguments, type ToolContext, tool } from '../tool.ts';

const listed = (name: string) => ({ [name]: v.array(v.looseObject({})), ...pageFields });

export const getContext = tool({
  name: 'get_context',
  title: 'Get what you can see',
  description:
    'Lists the workspaces that the token may read, and their connectors with kind, status, number of tables and up to five of the most connected tables. Call it first if you do not know which workspace or connector to name.',
  input: v.object(pageArguments(50, 20)),
  output: listed('connectors'),
  run: async ({ api }, { limit, cursor }) => {
    const { workspaces } = v.parse(AgentContextResponse, await api.ask(routes.getAgentContext));
    const all = workspaces.flatMap(({ id, name, role, connectors }) =>
      connectors.map(({ sample_tables, last_error, ...connector }) => ({
        workspace: { id, name, role },
        ...connector,
        last_error: last_error && outside(last_error, 300),
        sample_tables: sample_tables.slice(0, 5),
      })),
    );
    const page = pageAt({ items: all }, positionOf(cursor), { limit, noun: 'connectors' });
    const { items, words, ...counts } = page;
    return { ...counts, connectors: items, next: `${words} Call search_relations to find a table.` };
  },
});

async function feedsOf(context: ToolContext, named: Named, status?: string) {
  const place = await placeOf(context, named);
  const pages = await allPages(context.api, routes.listProviders, { query: { ...place, status } });
  return { ...place, feeds: v.parse(ProviderPage, pages).items };
}

export const listFeeds = tool({
  name: 'list_feeds',
  title: 'List feeds',
  description:
    'Lists the feeds that send lineage evidence, with their status, last delivery and number of gaps. Use it to judge how current and complete the lineage is.',
  input: v.object({
    status: v.optional(v.picklist(providerStatuses)),
    ...pageArguments(50, 30),
    ...placeArguments,
  }),
  output: listed('feeds'),
  run: async (context, { status, limit, cursor, ...named }) => {
    const { feeds } = await feedsOf(context, named, status);
    const { items, words, ...counts } = pageAt({ items: feeds }, positionOf(cursor), { limit, noun: 'feeds' });
    const shown = items.map(({ display_name, ...feed }) => ({ ...feed, display_name: outside(display_name, 200) }));
    return { ...counts, feeds: shown, next: `${words} Call list_gaps to see where evidence is missing.` };
  },
});

export const listGaps = tool({
  name: 'list_gaps',
  title: 'List gaps',
  description:
    'Lists known gaps in the evidence: feeds that are silent, and deliveries that are waiting, quarantined or unresolved. Use it when lineage is missing or looks incomplete: near a gap, missing lineage proves nothing.',
  input: v.object({
    provider_instance_id: optionalText('Id of a feed from list_feeds. Omit for all feeds.'),
    status: v.optional(v.picklist(gapStatuses), 'open'),
    ...pageArguments(50, 20),
    ...placeArguments,
  }),
  output: listed('gaps'),
  run: async (context, { provider_instance_id, status, limit, cursor, ...named }) => {
    const { workspace_id, feeds } = await feedsOf(context, named);
    const selected = feeds.filter(({ id }) => provider_instance_id === undefined || id === provider_instance_id);
    const gaps = [];
    for (const { id, open_gap_count } of selected) {
      if (status === 'open' && open_gap_count === 0) continue;
      const question = { params: { provider_instance_id: id }, query: { workspace_id, status } };
      const { items } = v.parse(GapPage, await allPages(context.api, routes.listGaps, question));
      gaps.push(
        ...items.map(({ details, ...gap }) => ({ ...gap, provider_instance_id: id, ...shownDetails(details) })),
      );
      await context.progress?.(gaps.length, `${gaps.length} gaps are read`);
    }
    const { items, words, ...counts } = pageAt({ items: gaps }, positionOf(cursor), { limit, noun: `${status} gaps` });
    return {
      ...counts,
      gaps: items,
      feeds_checked: selected.length,
      next: `${words} Call list_feeds to see the status of each feed.`,
    };
  },
});

type GapDetails = v.InferOutput<typeof GapPage>['items'][number]['details'];

const shownDetails = ({ namespaces, unresolved, reason, command, ...details }: GapDetails) => ({
  ...details,
  reason: outside(reason, 500),
  ...(namespaces && { namespaces: firstOf(namespaces, 10) }),
  ...(unresolved && { unresolved: firstOf(unresolved, 10) }),
  ...(command && { command: outside(command, 500) }),
});

export const listChecks = tool({
  name: 'list_checks',
  title: 'List checks',
  description:
    'Lists the checks of a workspace, which are expectations about the lineage, with the state of each at its last evaluation, since when, and up to five violations. Use it to see whether the lineage is as its owners expect.',
  input: v.object({ workspace: placeArguments.workspace, ...pageArguments(20, 10) }),
  output: listed('checks'),
  run: async (context, { limit, cursor, ...named }) => {
    const query = { workspace_id: await workspaceOf(context, named) };
    const answer = await context.api.ask(routes.listChecks, { query });
    const { agent_checks, max_enabled } = v.parse(AgentCheckListResponse, answer);
    const options = { limit, noun: 'checks' };
    const { items, words, ...counts } = pageAt({ items: agent_checks }, positionOf(cursor), options);
    const checks = await Promise.all(
      items.map(async ({ id, name, expectation, scope, ...check }) => ({
        id,
        name: outside(name),
        expectation: outside(expectation),
        enabled: check.enabled,
        severity: check.severity,
        scope: { include: firstOf(scope.include, 5), exclude: firstOf(scope.exclude, 5) },
        ...(await lastResult(context, query, id)),
      })),
    );
    return { ...counts, checks, max_enabled, next: `${words} Call get_impact to see the lineage that a check covers.` };
  },
});

async function lastResult({ api }: ToolContext, query: { readonly workspace_id: string }, check_id: string) {
  const question = { params: { check_id }, query: { ...query, limit: 1 } };
  const [last] = v.parse(AgentCheckResultPage, await api.ask(routes.listCheckResults, question)).items;
  if (last === undefined) return { state: 'not_evaluated' };
  const { state, since, evaluated_at, violations, violations_total } = last;
  const shown = firstOf(violations, 5);
  return { state, since, evaluated_at, violations: { ...shown, total: violations_total } };
}
