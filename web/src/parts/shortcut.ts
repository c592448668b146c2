import { useEffect, useRef } from 'react';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

/** Calls a function when somebody presses a key anywhere but in a field. */
export function useShortcut(key: string, act: () => void): void {
  const newest = useRef(act);
  useEffect(() => {
    newest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== key || isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      newest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [key]);
}
