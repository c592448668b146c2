import type { Diff } from '../api/queries.ts';
import { fullName } from '../parts/layer.tsx';
import { CopyButton } from '../parts/snippet.tsx';
import { sharedAddress } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { countsOf } from './change-list.tsx';

type Owner = NonNullable<Diff['owners']>[number];
type Effect = { readonly grade: 'risky' | 'breaking'; readonly causes: readonly string[] };

type WhoToTellProps = { readonly diff: Diff; readonly owners: readonly Owner[] };

/** A message for each owner of what a branch breaks. */
export function WhoToTell({ diff, owners }: WhoToTellProps) {
  if (owners.length === 0) return null;
  const effects = effectsOf(diff);
  return (
    <section className="tell" aria-label={texts.changes.tell.title}>
      <h2>{texts.changes.tell.title}</h2>
      <ul className="plain">
        {owners.map((one) => (
          <li key={one.owner ?? ''}>
            <span>
              {one.owner ?? <span className="dim">{texts.changes.tell.unknown}</span>}
              <span className="dim">{effectWords(one, effects)}</span>
            </span>
            <CopyButton
              name={texts.changes.tell.to(one.owner)}
              label={texts.changes.tell.copy}
              text={async () => messageOf(one, effects)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What happens to each relation that is downstream of a change, and by which changes. */
function effectsOf({ relations, columns }: Diff): ReadonlyMap<string, Effect> {
  const effects = new Map<string, Effect>();
  const changes = [...columns, ...relations.map((one) => ({ ...one, column: null }))];
  for (const { relation_ref: relation, column, breaks } of changes)
    for (const { relation_ref, grade } of breaks) {
      const known = effects.get(relation_ref);
      const cause = fullName({ relation, column });
      // What a relation breaks by its columns is told by them.
      const isTold = column === null && known?.causes.some((one) => one.startsWith(`${relation}.`));
      effects.set(relation_ref, {
        grade: known?.grade === 'breaking' ? known.grade : grade,
        causes: [...(known?.causes ?? []), ...(isTold ? [] : [cause])],
      });
    }
  return effects;
}

function effectWords({ relation_refs }: Owner, effects: ReadonlyMap<string, Effect>): string {
  return texts.changes.effect(countsOf(relation_refs.flatMap((one) => effects.get(one) ?? [])));
}

const mostCauses = 5;

function messageOf(owner: Owner, effects: ReadonlyMap<string, Effect>): string {
  const { message, line, see } = texts.changes.tell;
  const lines = owner.relation_refs.map((relation) => {
    const { grade, causes } = effects.get(relation) ?? { grade: 'risky', causes: [] };
    return line(relation, grade, causes.slice(0, mostCauses), causes.length - mostCauses);
  });
  return [message(effectWords(owner, effects)), '', ...lines, '', see(sharedAddress())].join('\n');
}
