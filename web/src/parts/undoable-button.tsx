import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';

type UndoableButtonProps = { readonly label: string; readonly name: string; readonly act: () => unknown };

const pauseMs = 5_000;

/** Does what cannot be taken back after a pause, in which another click undoes it; who leaves the page does not wait. */
export function UndoableButton({ label, name, act }: UndoableButtonProps) {
  const [isDue, setDue] = useState(false);
  const newest = useRef(act);
  newest.current = act;
  const timer = useRef(0);
  const run = () => {
    timer.current = 0;
    newest.current();
  };
  useEffect(
    () => () => {
      if (timer.current === 0) return;
      clearTimeout(timer.current);
      newest.current();
    },
    [],
  );
  const toggle = () => {
    clearTimeout(timer.current);
    timer.current = isDue ? 0 : window.setTimeout(run, pauseMs);
    setDue(!isDue);
  };
  return (
    <button type="button" aria-label={`${isDue ? texts.undo(label) : label} ${name}`} onClick={toggle}>
      {isDue ? texts.undo(label) : label}
    </button>
  );
}
