import { type RefObject, useEffect } from 'react';
import { texts } from '../texts.ts';
import { optionId, SearchResults } from './search-results.tsx';
import { useSearchBox } from './use-search-box.ts';

/** The one search box, over relations and columns; `/` focuses it from anywhere. */
export function SearchBox() {
  const { box, list, text, write, answer, isShown, show, active, choose, onKeyDown } = useSearchBox();
  useFocusBySlash(box);
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
        aria-controls={isShown ? list : undefined}
        aria-activedescendant={isShown && answer.found[active] ? optionId(list, active) : undefined}
        value={text}
        onChange={({ target }) => write(target.value)}
        onFocus={() => show(true)}
        onBlur={() => show(false)}
        onKeyDown={onKeyDown}
      />
      {isShown && <SearchResults id={list} answer={answer} active={active} choose={choose} />}
    </search>
  );
}

function useFocusBySlash(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
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
