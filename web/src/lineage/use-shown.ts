import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Impact, type ImpactQuestion, impactQuery } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { type Address, mostDepth } from './address.ts';
import { type Shown, type Side, sides, visibleAnswer } from './answer.ts';
import { alongPath } from './path.ts';

const maxRelations = 500;

export type ShownQuery = {
  readonly shown: Shown | null;
  readonly error: Error | null;
  readonly isAsking: boolean;
  /** Whether the answer about the root is the one that the address asks for, not the last one. */
  readonly isCurrent: boolean;
  readonly progress: { readonly answered: number; readonly total: number };
  /** Why no way to the chosen relation is drawn; null if one is. */
  readonly pathNote: PathNote | null;
};

/** `near`: relations with names like one that nothing has. */
type PathNote = { readonly text: string; readonly near: readonly string[] };

const rootOf = (answer: Impact): string => answer.root.relation_ref;

/** Asks what the address says, and what was expanded. */
export function useShown(workspaceId: string, address: Address): ShownQuery {
  const common = {
    workspace_id: workspaceId,
    connector_id: address.connector,
    max_nodes: maxRelations,
    ...(address.as_of && { as_of: address.as_of }),
    ...(address.stale && { include_stale: true }),
  };
  const main = useMain(common, address);
  const expansions = useExpansions(common, address, main.data);
  const path = usePath(common, address, main.data);
  const { answer: way } = path;
  const { up, down, hide, verdict } = address;
  const shown = useMemo(() => {
    if (main.data === undefined) return null;
    const answered = expansionsOf({ up, down }).flatMap((one, index) => {
      const answer = expansions.answers[index];
      return answer === undefined ? [] : [{ ...one, answer }];
    });
    const along = way === null ? [] : sides.map((side) => ({ relation: rootOf(way), side, answer: way }));
    return visibleAnswer(main.data, [...answered, ...along], { hide, verdict });
  }, [main.data, expansions, way, up, down, hide, verdict]);
  const answers = [main.data, ...expansions.answers];
  return {
    shown,
    error: main.error ?? expansions.error ?? path.error,
    isAsking: main.isFetching || expansions.isPending || path.isAsking,
    isCurrent: main.data !== undefined && !main.isPlaceholderData,
    progress: { answered: answers.filter((answer) => answer !== undefined).length, total: answers.length },
    pathNote: path.note,
  };
}

/** The answer about the root; while another is requested, the last one stays. */
const useMain = (common: CommonQuestion, address: Address) =>
  useQuery({
    ...impactQuery({
      ...common,
      relation_ref: address.relation,
      column_ref: [...address.column],
      direction: address.direction,
      max_depth: address.depth ?? mostDepth,
    }),
    enabled: address.relation !== '',
    placeholderData: (previous) => (previous?.root.relation_ref === address.relation ? previous : undefined),
  });

/** The answers about the neighbours that were expanded, in the order of `expansionsOf`; undefined: still to come. */
const useExpansions = (common: CommonQuestion, address: Address, main: Impact | undefined) =>
  useQueries({
    queries: expansionsOf(address).map(({ relation, side }) =>
      impactQuery({
        ...common,
        connector_id: connectorIn(main, relation) ?? common.connector_id,
        relation_ref: relation,
        direction: side,
        max_depth: 1,
      } satisfies ImpactQuestion),
    ),
    combine: (results) => ({
      answers: results.map(({ data }) => data),
      error: results.find(({ error }) => error)?.error ?? null,
      isPending: results.some(({ isPending }) => isPending),
    }),
  });

const connectorIn = (answer: Impact | undefined, relation: string): string | null | undefined =>
  sides.flatMap((side) => answer?.[side] ?? []).find(({ relation_ref }) => relation_ref === relation)?.connector_id;

const expansionsOf = ({ up, down }: Pick<Address, 'up' | 'down'>): { relation: string; side: Side }[] => [
  ...up.map((relation) => ({ relation, side: 'upstream' as const })),
  ...down.map((relation) => ({ relation, side: 'downstream' as const })),
];

/** What all questions of one page have in common. */
type CommonQuestion = Omit<ImpactQuestion, 'relation_ref' | 'column_ref' | 'direction' | 'max_depth'>;

const holds = (answer: Impact, relation: string): boolean =>
  sides.some((side) => answer[side].some(({ relation_ref }) => relation_ref === relation));

/** The way to the chosen relation, if the answer itself does not reach it. */
function usePath(common: CommonQuestion, { to, relation }: Address, main: Impact | undefined) {
  const isRequested = to !== null && main !== undefined && !holds(main, to);
  const { data, error, isFetching } = useQuery({
    ...impactQuery({ ...common, relation_ref: relation, max_depth: mostDepth }),
    enabled: isRequested,
  });
  const answer = useMemo(() => (isRequested && data ? alongPath(data, to) : null), [isRequested, data, to]);
  const isUnknown = isRequested && data !== undefined && answer === null;
  const named = useQuery({
    ...impactQuery({ ...common, relation_ref: to ?? '', max_depth: 1, max_nodes: 1 }),
    enabled: isUnknown,
  }).data?.lineage_resolution;
  const isCut = data?.truncated.by_nodes || data?.truncated.by_requests;
  const note = isCut ? texts.lineage.pathCut : texts.lineage.pathUnknown;
  const isNoName = named?.method === 'unresolved';
  return {
    answer,
    error: isRequested ? error : null,
    isAsking: isRequested && isFetching,
    note:
      isUnknown && named
        ? {
            text: isNoName ? texts.lineage.unresolved(to) : note(to, isCut ? data.blast_radius.relations : mostDepth),
            near: isNoName ? (named.candidates ?? []) : [],
          }
        : null,
  };
}
