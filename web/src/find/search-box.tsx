import { fullName, LayerIcon, Ref } from '../parts/layer.tsx';
import { useShortcut } from '../parts/shortcut.ts';
import { texts } from '../texts.ts';
import type { Found, FoundAnswer } from './search-results.ts';
import { useSearchBox } from './use-search-box.ts';

/** The one search box, over relations and columns; `/` focuses it from anywhere. */
export function SearchBox() {
  const { box, list, text, write, answer, isShown, show, active, choose, onKeyDown } = useSearchBox();
  useShortcut('/', () => box.current?.focus());
  return (
    <search className="search">
      <input
        ref={box}
        type="search"
        aria-label={texts.search.label}
        placeholder={texts.search.label}
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
      <kbd>/</kbd>
      {isShown && <SearchResults id={list} answer={answer} active={active} choose={choose} />}
    </search>
  );
}

type SearchResultsProps = {
  readonly id: string;
  readonly answer: FoundAnswer;
  /** The place of the line that the keys are on. */
  readonly active: number;
  readonly choose: (found: Found) => void;
};

const optionId = (list: string, index: number): string => `${list}-${index}`;

const SearchResults = ({ id, answer, active, choose }: SearchResultsProps) => (
  <div className="search-results">
    <div role="listbox" id={id} aria-label={texts.search.results}>
      {answer.found.map((one, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search box, which names the active option.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search box.
        <div
          key={`${one.connector} ${one.relation} ${one.column}`}
          role="option"
          id={optionId(id, index)}
          aria-label={fullName(one)}
          aria-selected={index === active}
          // Before the box loses the focus, which would close the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(one)}
        >
          <LayerIcon layer={one.layer} />
          {one.column === null ? <Ref of={one.relation} /> : <span className="ref">{fullName(one)}</span>}
          <span className="result-notes">
            {one.kind && <span className="badge">{one.column === null ? one.kind : texts.search.column}</span>}
            {one.notes.filter(Boolean).join(' · ')}
          </span>
        </div>
      ))}
    </div>
    {answer.hasMoreColumns && <p>{texts.search.moreColumns}</p>}
    {answer.found.length === 0 && <p role="status">{answer.isPending ? texts.loading : texts.search.nothing}</p>}
  </div>
);
