import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue, useId, useState } from 'react';
import { relationsQuery } from '../api/queries.ts';
import { Choice, Suggestions } from '../parts/fields.tsx';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import type { Shown } from './answer.ts';

type ControlsProps = { readonly address: Address; readonly change: Change; readonly shown: Shown };

export const Controls = ({ address, change, shown }: ControlsProps) => (
  <div className="controls">
    <Choice
      label={texts.lineage.headings.direction}
      value={address.direction}
      options={texts.lineage.directions}
      choose={(direction) => change({ direction, edge: null })}
    />
    {address.view === 'graph' && <PathField key={address.to} address={address} change={change} shown={shown} />}
    {address.hide.length > 0 && (
      <button type="button" onClick={() => change({ hide: [] })}>
        {texts.lineage.unhide(shown.hidden)}
      </button>
    )}
  </div>
);

const offered = 12;

/** Chooses a relation, shown or not, to which the way is drawn and lit. */
function PathField({ address, change, shown }: ControlsProps) {
  const [text, setText] = useState(address.to ?? '');
  const list = useId();
  const names = useOffered(useDeferredValue(text.trim()), address, shown);
  const choose = (to: string | null) => to !== address.to && change({ to });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // What is written now, which the list below may not have caught up with.
    choose(text.trim() || null);
  };
  return (
    <form onSubmit={submit}>
      <label>
        {texts.lineage.path}
        <input
          type="search"
          list={list}
          value={text}
          placeholder={texts.lineage.pathNone}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value === '') choose(null);
            else if (names.has(target.value)) choose(target.value);
          }}
        />
      </label>
      <Suggestions id={list} values={names} />
    </form>
  );
}

/** Relations whose names hold some words: those of the picture, then others of the connector. */
function useOffered(words: string, { connector, to }: Address, shown: Shown): ReadonlySet<string> {
  const workspace = useWorkspace();
  const { data } = useQuery({
    ...relationsQuery(workspace?.id ?? '', words, connector, offered),
    enabled: words !== '' && words !== to,
  });
  const near = shown.rows.map(({ relation }) => relation).filter((relation) => relation.includes(words));
  const names = new Set([...near.slice(0, offered), ...(data?.items ?? []).map(({ relation_ref }) => relation_ref)]);
  names.delete(shown.root);
  return names;
}
