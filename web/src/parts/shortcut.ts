import { useEffect, useRef } from 'react';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=range], [type=checkbox]), textarea, select');

/** Whether a key is pressed outside of fields and without a modifier. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !(isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey);

/** Calls a function when somebody presses a key anywhere but in a dialog, and in a field only if it writes nothing. */
export function useShortcut(key: string, act: () => void): void {
  const isFunctionKey = /^F\d/.test(key);
  useKeys((event) => event.key === key && (isFunctionKey || isPlainKey(event)) && !isInDialog(event.target), act);
}

/** Calls a function when somebody presses a key together with Ctrl or ⌘, in fields too. */
export function useCommandKey(key: string, act: () => void): void {
  useKeys((event) => event.key === key && (event.ctrlKey || event.metaKey), act);
}

/** The page itself is no tab stop: the next one is its first part. */
export const focusPage = () => document.getElementById('page')?.focus({ preventScroll: true });

/** Moves the focus to a page that opens. */
export function usePageFocus(pathname: string): void {
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current !== pathname) focusPage();
    last.current = pathname;
  }, [pathname]);
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('dialog') !== null;

function useKeys(matches: (event: KeyboardEvent) => boolean, act: () => void): void {
  const newest = useRef({ matches, act });
  useEffect(() => {
    newest.current = { matches, act };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!newest.current.matches(event)) return;
      event.preventDefault();
      newest.current.act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
