import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Impact, type ImpactQuestion, impactQuery } from '../api/queries.ts';
import { texts } from '../texts.ts';
import { type Address, sides } from './address.ts';
import { alongPath } from './path.ts';

/** How far a path may lead: as far as one answer goes. */
const pathDepth = 10;

/** What all questions of one page have in common. */
export type CommonQuestion = Omit<ImpactQuestion, 'relation_ref' | 'column_ref' | 'direction' | 'max_depth'>;

const holds = (answer: Impact, relation: string): boolean =>
  sides.some((side) => answer[side].some(({ relation_ref }) => relation_ref === relation));

/** The way to the chosen relation, where the answer itself does not reach it. */
export function usePath(common: CommonQuestion, { to, relation }: Address, main: Impact | undefined) {
  const isAsked = to !== null && main !== undefined && !holds(main, to);
  const { data, error, isFetching } = useQuery({
    ...impactQuery({ ...common, relation_ref: relation, max_depth: pathDepth }),
    enabled: isAsked,
  });
  const answer = useMemo(() => (isAsked && data ? alongPath(data, to) : null), [isAsked, data, to]);
  const isUnknown = isAsked && data !== undefined && answer === null;
  const note = data?.truncated.by_nodes ? texts.lineage.pathCut : texts.lineage.pathUnknown;
  return {
    answer,
    error: isAsked ? error : null,
    isAsking: isAsked && isFetching,
    note: isUnknown ? note(to, data.truncated.by_nodes ? data.limits.max_nodes : pathDepth) : null,
  };
}
