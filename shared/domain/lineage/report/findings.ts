import type { LineageDiff } from '../../../contract/diff.ts';
import { becauseOf, tellingRelations } from './because.ts';
import { code } from './markdown.ts';

type Effect = Pick<LineageDiff['relations'][number], 'grade' | 'breaks' | 'unexplored' | 'walked'>;

/** A change of a relation (without a column) or of a column, with what it does downstream. */
export type Finding = Effect & {
  readonly change: 'added' | 'removed' | 'changed';
  readonly relation_ref: string;
  readonly column: string | null;
  readonly because: string;
};

const order = ['breaking', 'risky', 'safe'] as const;

/** All changes of a comparison, the worst first, then by name. */
export function findingsOf(
  diff: Pick<LineageDiff, 'relations' | 'columns'>,
  quote: (text: string) => string = (text) => text,
): readonly Finding[] {
  const all: Finding[] = [
    ...tellingRelations(diff).map(({ reasons, model, kind: _, ...one }) => ({
      ...one,
      column: null,
      because: becauseOf({ reasons, model }, quote),
    })),
    ...diff.columns.map(({ before: _, after: __, ...one }) => ({ ...one, because: '' })),
  ];
  const name = ({ relation_ref, column }: Finding) => JSON.stringify([relation_ref, column]);
  return all.sort((a, b) => order.indexOf(a.grade) - order.indexOf(b.grade) || (name(a) < name(b) ? -1 : 1));
}

/** What has no columns leaves none out. */
const inherent: readonly string[] = ['exposure_has_no_columns'];

/** What a comparison leaves open, in Markdown; empty where it knows everything. */
export function unknownsOf(diff: LineageDiff): readonly string[] {
  const { from, truncated, precision } = diff;
  const unexplored = findingsOf(diff).reduce((sum, one) => sum + one.unexplored, 0);
  return [
    ...(from.kind === 'scope' && from.found && from.last_complete_snapshot_at === null
      ? ['The live project was only ever sent in part: what it lacks is not known to be gone.']
      : []),
    ...(truncated.unlisted > 0 ? [`${truncated.unlisted} changes are not listed.`] : []),
    ...(truncated.unwalked > 0 ? [`${truncated.unwalked} changes were not followed.`] : []),
    ...(unexplored > 0 ? [`At least ${unexplored} relations downstream lie beyond the bounds of the search.`] : []),
    ...(truncated.by_requests ? ['The graph here is too dense to be followed whole.'] : []),
    ...(truncated.by_bytes ? ['The answer was cut to what a reply holds.'] : []),
    ...precision.reasons
      .filter(({ reason }) => !inherent.includes(reason))
      .map(
        ({ relation_ref, reason }) =>
          `Columns of ${code(relation_ref)} are not compared: ${reason.replaceAll('_', ' ')}.`,
      ),
  ];
}
