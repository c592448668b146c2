import './palette.css';
import { useRouter } from '@tanstack/react-router';
import { Keyboard, Link2, type LucideIcon, SunMoon } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { fullName, LayerIcon, Ref } from '../parts/layer.tsx';
import { Modal, ModalHead } from '../parts/modal.tsx';
import { pagesFor } from '../shell/pages.ts';
import { chooseTheme, chosenTheme, themes } from '../shell/theme.ts';
import { may, sharedAddress, useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';
import { type Found, useFound } from './search-results.ts';
import { useOpenLineage } from './use-search-box.ts';

type PaletteProps = { readonly close: () => void; readonly showKeys: () => void };

/** One line of the palette. */
type Choice = {
  readonly id: string;
  readonly section: string;
  readonly name: string;
  readonly found?: Found;
  readonly icon?: LucideIcon;
  readonly keys?: readonly string[];
  /** @param isImpact whether what breaks downstream is the question */
  readonly run: (isImpact: boolean) => void;
};

/** Finds columns, relations, pages and commands by one field. */
export function Palette({ close, showKeys }: PaletteProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useId();
  const deferred = useDeferredValue(text);
  const { choices, isPending } = useChoices(deferred, showKeys);
  const isSettled = deferred === text && !isPending;
  /** Whether Enter was pressed before there were results, and then whether what breaks is the question. */
  const [entered, enter] = useState<{ readonly isImpact: boolean } | null>(null);
  const choose = (choice: Choice | undefined, isImpact: boolean) => {
    if (choice === undefined) return;
    close();
    choice.run(isImpact);
  };
  useEffect(() => {
    if (entered && isSettled) choose(choices[active], entered.isImpact);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((active + step + choices.length) % Math.max(1, choices.length));
    else if (event.key === 'Enter') enter({ isImpact: event.ctrlKey || event.metaKey });
    else return;
    event.preventDefault();
  };
  return (
    <Modal title={texts.palette.title} close={close} className="palette">
      <input
        type="text"
        role="combobox"
        aria-label={texts.palette.title}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={choices[active] && `${list}-${active}`}
        autoComplete="off"
        spellCheck={false}
        placeholder={texts.palette.placeholder}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setActive(0);
          enter(null);
        }}
        onKeyDown={onKeyDown}
      />
      <Choices list={list} choices={choices} active={active} choose={choose} />
      {choices.length === 0 && <p role="status">{isPending ? texts.loading : texts.palette.nothing(text)}</p>}
      <footer aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {texts.palette.keys.choose} <kbd>↵</kbd> {texts.palette.keys.open}{' '}
        <kbd>{commandKey}</kbd> <kbd>↵</kbd> {texts.palette.keys.impact}
      </footer>
    </Modal>
  );
}

const commandKey = navigator.userAgent.includes('Mac') ? '⌘' : 'Ctrl';

type ChoicesProps = {
  readonly list: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly choose: (choice: Choice, isImpact: boolean) => void;
};

const Choices = ({ list, choices, active, choose }: ChoicesProps) => (
  <div role="listbox" id={list} aria-label={texts.palette.title}>
    {[...Map.groupBy(choices, ({ section }) => section)].map(([section, own]) => (
      // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options of this kind.
      <div role="group" key={section} aria-label={section}>
        <span className="palette-section" aria-hidden="true">
          {section}
        </span>
        {own.map((choice) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
          <div
            key={choice.id}
            role="option"
            id={`${list}-${choices.indexOf(choice)}`}
            aria-selected={choices.indexOf(choice) === active}
            ref={(element) => {
              if (choices.indexOf(choice) === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            onClick={({ ctrlKey, metaKey }) => choose(choice, ctrlKey || metaKey)}
          >
            <ChoiceText choice={choice} />
          </div>
        ))}
      </div>
    ))}
  </div>
);

const ChoiceText = ({ choice: { name, found, icon: Icon, keys = [] } }: { readonly choice: Choice }) => (
  <>
    {found && <LayerIcon layer={found.layer} />}
    {Icon && <Icon size={16} strokeWidth={1.9} aria-hidden="true" />}
    {found ? <Ref of={found.relation} /> : <span>{name}</span>}
    {found?.column && <b className="ref palette-column">{found.column}</b>}
    <span className="result-notes">
      {found?.column === null && texts.layers[found.layer]}
      <Keys keys={keys} />
    </span>
  </>
);

const Keys = ({ keys }: { readonly keys: readonly string[] }) =>
  keys.map((key, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same key may be pressed twice.
    <kbd key={index}>{key}</kbd>
  ));

const relationsShown = 6;

/** What a text may mean: columns, relations, then pages and commands with all of its words. */
function useChoices(text: string, showKeys: () => void) {
  const workspace = useWorkspace();
  const { found, isPending } = useFound(workspace, text);
  const openLineage = useOpenLineage();
  const commands = useCommands(may(workspace, 'admin'), showKeys);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const choiceOf = (one: Found): Choice => ({
    id: `${one.connector} ${one.relation} ${one.column}`,
    section:
      text.trim() === ''
        ? texts.search.recent
        : one.column === null
          ? texts.palette.relations
          : texts.lineage.headings.columns,
    name: fullName(one),
    found: one,
    run: (isImpact) => openLineage(one, isImpact),
  });
  const relations = found.filter(({ column }) => column === null).slice(0, relationsShown);
  const choices = [
    ...found.filter(({ column }) => column !== null).map(choiceOf),
    ...relations.map(choiceOf),
    ...commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))),
  ];
  return { choices, isPending };
}

function useCommands(isAdmin: boolean, showKeys: () => void): readonly Choice[] {
  const { navigate } = useRouter();
  const section = texts.palette.commands;
  return [
    ...pagesFor(isAdmin).map(({ to, name, icon, key }) => ({
      ...{ id: to, section: texts.nav.label, name, icon },
      ...(key && { keys: ['g', key] }),
      run: () => void navigate({ to }),
    })),
    ...themes
      .filter((theme) => theme !== chosenTheme())
      .map((theme) => ({
        ...{ id: theme, section, name: texts.palette.theme(texts.themes[theme]), icon: SunMoon },
        run: () => chooseTheme(theme),
      })),
    {
      ...{ id: 'link', section, name: texts.copyLink, icon: Link2 },
      run: () => void navigator.clipboard.writeText(sharedAddress()),
    },
    { id: 'keys', section, name: texts.keys.title, icon: Keyboard, keys: ['?'], run: showKeys },
  ];
}

export const KeyHelp = ({ close }: { readonly close: () => void }) => (
  <Modal title={texts.keys.title} close={close}>
    <ModalHead title={texts.keys.title} close={close} />
    <div className="two">
      {texts.keys.groups.map(({ title, keys }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl className="facts keys">
            {keys.map(([pressed, meaning]) => (
              <div className="fact" key={pressed}>
                <dt>
                  <Keys keys={pressed.split(' ')} />
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Modal>
);
