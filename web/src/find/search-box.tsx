import { LayerIcon, Ref } from '../parts/layer.tsx';
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
        <Result
          key={`${one.connector} ${one.relation} ${one.column}`}
          id={optionId(id, index)}
          found={one}
          isActive={index === active}
          choose={() => choose(one)}
        />
      ))}
    </div>
    {answer.hasMoreColumns && <p>{texts.search.moreColumns}</p>}
    {answer.found.length === 0 && <p role="status">{answer.isPending ? texts.loading : texts.search.nothing}</p>}
  </div>
);

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
      <LayerIcon layer={found.layer} />
      {found.column === null ? <Ref of={name} /> : <span className="ref">{name}</span>}
      <span className="result-notes">
        {found.kind && <span className="badge">{found.column === null ? found.kind : texts.search.column}</span>}
        {found.notes.filter(Boolean).join(' · ')}
      </span>
    </div>
  );
}
