import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { focusPage } from '../parts/shortcut.ts';
import { useWorkspace } from '../shell/world.ts';
import { type Found, useFound } from './search-results.ts';

/** What is written into the search box, what it finds, and which line of that the arrow keys are on. */
export function useSearchBox() {
  const workspace = useWorkspace();
  const [text, setText] = useState('');
  const [isOpen, show] = useState(false);
  const [active, setActive] = useState(0);
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  const deferred = useDeferredValue(text);
  const answer = useFound(workspace, deferred);
  const isSettled = deferred === text && !answer.isPending;
  const [isEntered, enter] = useState(false);
  const { found } = answer;
  const openLineage = useOpenLineage();
  const write = (written: string) => {
    setText(written);
    setActive(0);
    enter(false);
    show(true);
  };
  const choose = (one: Found) => {
    openLineage(one);
    show(false);
    setText('');
    enter(false);
  };
  useEffect(() => {
    // Enter was pressed before there were results.
    if (isEntered && isSettled && found[0]) choose(found[0]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter' && !isSettled) enter(true);
    else if (event.key === 'Enter' && found[active]) choose(found[active]);
    else if (event.key === 'Escape') box.current?.blur();
    else return;
    event.preventDefault();
  };
  const isShown = isOpen && (text !== '' || found.length > 0);
  return { box, list, text, write, answer, isShown, show, active, choose, onKeyDown };
}

/** Opens what was found: a column with its effects, a relation with them only if they are the question. */
export function useOpenLineage(): (found: Found, isImpact?: boolean) => void {
  const navigate = useNavigate();
  return ({ connector, relation, column }, isImpact = column !== null) => {
    const search = {
      ...(column !== null && { column }),
      ...((isImpact || column !== null) && { direction: 'downstream' }),
    };
    void navigate({ to: '/lineage', search: { connector, relation, ...search } }).then(focusPage);
  };
}
