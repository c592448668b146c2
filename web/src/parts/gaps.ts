import { useQueries, useQuery } from '@tanstack/react-query';
import { type Gap, gapsQuery, type Provider, providersQuery } from '../api/queries.ts';
import { useProviderNames } from './provider-names.ts';

type GapOfProvider = Gap & { readonly provider: Provider; readonly name: string };
export type GapOfProviders = Gap & { readonly all: readonly GapOfProvider[] };

/** The gaps of a workspace; those about the same namespaces are one, because a single command ends them for all providers. */
export function useGaps(workspaceId: string, isRead: (provider: Provider) => boolean = () => true) {
  const providers = useQuery(providersQuery(workspaceId));
  const items = (providers.data?.items ?? []).filter(isRead);
  const names = useProviderNames(workspaceId);
  const pages = useQueries({ queries: items.map(({ id }) => gapsQuery(workspaceId, id)) });
  const gaps = items.flatMap((provider, index) => {
    const named = { provider, name: names.get(provider.id) ?? provider.display_name };
    return (pages[index]?.data?.items ?? []).toSorted(newestFirst).map((gap) => ({ ...gap, ...named }));
  });
  const error = providers.error ?? pages.find((page) => page.error)?.error ?? null;
  const isPending = providers.isPending || pages.some((page) => page.isPending);
  return { gaps: joined(gaps), isPending, error, isKnown: !isPending && error === null };
}

/** The open gaps, as the page of gaps lists them; only providers that have some are read. */
export function useOpenGaps(workspaceId: string) {
  const { gaps, ...query } = useGaps(workspaceId, ({ open_gap_count }) => open_gap_count > 0);
  return { ...query, gaps: gaps.filter(({ status }) => status === 'open') };
}

/** Gaps that one scan found have one time: those go by their type. */
const newestFirst = (a: Gap, b: Gap): number =>
  b.opened_at.localeCompare(a.opened_at) || a.gap_type.localeCompare(b.gap_type);

const joined = (gaps: readonly GapOfProvider[]): GapOfProviders[] =>
  [...Map.groupBy(gaps, subjectOf).values()].flatMap((all) => all.slice(0, 1).map((first) => ({ ...first, all })));

const subjectOf = ({ id, gap_type, status, details }: Gap): string =>
  gap_type === 'unowned_namespace' ? `${status} ${details.command}` : id;
