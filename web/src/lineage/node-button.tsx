import { type ComponentProps, type KeyboardEvent, useEffect, useRef } from 'react';
import { askedAbout } from './address.ts';
import { type PictureState, useNodeFocus, usePicture } from './picture-context.ts';

type NodeButtonProps = ComponentProps<'button'> & {
  /** Of the relation or group. */
  readonly id: string;
};

/**
 * The name of a part of the picture. The picture is one tab stop: of its parts only the active one is, and the keys lead
 * from there to others, to its edges and to its columns.
 */
export function NodeButton({ id, ...button }: NodeButtonProps) {
  const picture = usePicture();
  const { nodeFocus } = picture;
  const { isActive, isFocused } = useNodeFocus(id);
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) element.current?.focus({ preventScroll: true });
  }, [isFocused]);
  return (
    <button
      ref={element}
      type="button"
      className="relation-name nodrag"
      data-id={id}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => nodeFocus.activate(id)}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (pressed(picture, id, event)) event.preventDefault();
      }}
      {...button}
    />
  );
}

/** Does what a key on a part of the picture means; false if it means nothing. */
function pressed(picture: PictureState, id: string, { key, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  const { address, change, root, nodeFocus, move, connectorOf } = picture;
  const own = `[data-source="${CSS.escape(id)}"], [data-target="${CSS.escape(id)}"]`;
  const actions: Readonly<Record<string, () => void>> = {
    e: () => focusIn(currentTarget.closest('.graph'), own),
    c: () => focusIn(currentTarget.closest('.relation'), '.relation-column'),
    // A comparison is a picture of one answer, from which nothing can be expanded.
    ...(address.relation !== '' && {
      u: () => change({ up: [...address.up, id] }),
      d: () => change({ down: [...address.down, id] }),
      ...(id !== root && {
        x: () => change({ hide: [...address.hide, id] }),
        r: () => change(askedAbout(connectorOf(id), id)),
      }),
    }),
  };
  const action = key.startsWith('Arrow') ? () => move(id, key) : actions[key];
  if (key === 'Home') nodeFocus.focus(root);
  action?.();
  return action !== undefined || key === 'Home';
}

/** Moves the focus to the first part of an element that a selector finds. */
export const focusIn = (element: Element | null | undefined, selector: string): void =>
  element?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
