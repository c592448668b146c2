import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { type Found, useFound } from './found.ts';

/** The one search box, over relations and columns; `/` focuses it from anywhere. */
export function SearchBox() {
  const workspace = useWorkspace();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const { found, isPending, hasMoreColumns } = useFound(workspace, useDeferredValue(text));
  const choose = useChoice(() => {
    setOpen(false);
    setText('');
    box.current?.blur();
  });
  useFocusBySlash(box);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter' && found[active]) choose(found[active]);
    else if (event.key === 'Escape') box.current?.blur();
    else return;
    event.preventDefault();
  };
  const shown = isOpen && (text !== '' || found.length > 0);
  return (
    <search className="search">
      <input
        ref={box}
        type="search"
        aria-label={texts.search.label}
        placeholder={texts.search.placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-controls={shown ? id : undefined}
        aria-activedescendant={shown && found[active] ? `${id}-${active}` : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <div className="search-results">
          <div role="listbox" id={id} aria-label={texts.search.results}>
            {found.map((one, index) => (
              <Result
                key={`${one.connector} ${one.relation} ${one.column}`}
                id={`${id}-${index}`}
                found={one}
                isActive={index === active}
                choose={() => choose(one)}
              />
            ))}
          </div>
          {hasMoreColumns && <p>{texts.search.moreColumns}</p>}
          {found.length === 0 && <p role="status">{isPending ? texts.loading : texts.search.nothing}</p>}
        </div>
      )}
    </search>
  );
}

type ResultProps = {
  readonly id: string;
  readonly found: Found;
  readonly isActive: boolean;
  readonly choose: () => void;
};

function Result({ id, found, isActive, choose }: ResultProps) {
  const name = found.column === null ? found.relation : `${found.relation}.${found.column}`;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search box, which names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search box.
    <div
      role="option"
      id={id}
      aria-label={name}
      aria-selected={isActive}
      // Before the box loses the focus, which would close the list.
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      <span className="result-name">{name}</span>
      <span className="result-notes">
        {found.kind && <span className="badge">{found.column === null ? found.kind : texts.search.column}</span>}
        {found.notes.filter(Boolean).join(' · ')}
      </span>
    </div>
  );
}

function useChoice(after: () => void): (found: Found) => void {
  const navigate = useNavigate();
  return ({ connector, relation, column }) => {
    const asked = column === null ? {} : { column, direction: 'downstream' };
    void navigate({ to: '/lineage', search: { connector, relation, ...asked } });
    after();
  };
}

function useFocusBySlash(box: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isWriting = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, [box]);
}
