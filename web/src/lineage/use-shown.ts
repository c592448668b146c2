import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type ImpactQuestion, impactQuery } from '../api/queries.ts';
import { type Address, depthOf, type Side } from './address.ts';
import { type Shown, shownOf } from './answer.ts';

const maxRelations = 500;

type Asked = {
  readonly shown: Shown | null;
  readonly error: Error | null;
  /** Whether an answer is still to come. */
  readonly isAsking: boolean;
  readonly retry: () => unknown;
};

/** Asks what the address says, and what was expanded. */
export function useShown(workspaceId: string, address: Address): Asked {
  const common = {
    workspace_id: workspaceId,
    connector_id: address.connector,
    max_nodes: maxRelations,
    ...(address.as_of && { as_of: address.as_of }),
    ...(address.stale && { include_stale: true }),
  };
  const main = useQuery({
    ...impactQuery({
      ...common,
      relation_ref: address.relation,
      column_ref: [...address.column],
      direction: address.direction,
      max_depth: depthOf(address),
    }),
    enabled: address.relation !== '',
    placeholderData: (previous) => (previous?.root.relation_ref === address.relation ? previous : undefined),
  });
  const asked = expansionsOf(address);
  const expansions = useQueries({
    queries: asked.map(({ relation, side }) =>
      impactQuery({ ...common, relation_ref: relation, direction: side, max_depth: 1 } satisfies ImpactQuestion),
    ),
    combine: (results) => ({
      answers: results.map(({ data }) => data),
      error: results.find(({ error }) => error)?.error ?? null,
      isPending: results.some(({ isPending }) => isPending),
    }),
  });
  const { up, down, hide } = address;
  const shown = useMemo(() => {
    if (main.data === undefined) return null;
    const answered = expansionsOf({ up, down }).flatMap((one, index) => {
      const answer = expansions.answers[index];
      return answer === undefined ? [] : [{ ...one, answer }];
    });
    return shownOf(main.data, answered, hide);
  }, [main.data, expansions, up, down, hide]);
  return {
    shown,
    error: main.error ?? expansions.error,
    isAsking: main.isFetching || expansions.isPending,
    retry: main.refetch,
  };
}

const expansionsOf = ({ up, down }: Pick<Address, 'up' | 'down'>): { relation: string; side: Side }[] => [
  ...up.map((relation) => ({ relation, side: 'upstream' as const })),
  ...down.map((relation) => ({ relation, side: 'downstream' as const })),
];
