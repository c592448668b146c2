import { type ComponentProps, useEffect, useRef } from 'react';
import { useNodeFocus, usePicture } from './picture-context.ts';

type NodeButtonProps = ComponentProps<'button'> & {
  /** Of the relation or group. */
  readonly id: string;
};

/** The name of a part of the picture: it takes the focus where an arrow key leads here, and passes the next one on. */
export function NodeButton({ id, ...button }: NodeButtonProps) {
  const { nodeFocus, move } = usePicture();
  const { isFocused } = useNodeFocus(id);
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) element.current?.focus({ preventScroll: true });
  }, [isFocused]);
  return (
    <button
      ref={element}
      type="button"
      className="relation-name nodrag"
      onFocus={() => nodeFocus.activate(id)}
      onKeyDown={(event) => {
        if (!event.key.startsWith('Arrow')) return;
        event.preventDefault();
        move(id, event.key);
      }}
      {...button}
    />
  );
}
