import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts.ts';

type ModalProps = {
  readonly title: string;
  readonly close: () => void;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A dialog above the page. Escape or a click beside it closes it, and the browser returns the focus. */
export function Modal({ title, close, className, children }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key that does the same.
    <dialog
      ref={element}
      aria-label={title}
      className={`modal ${className ?? ''}`}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={({ target }) => target === element.current && close()}
    >
      <div className="modal-body">{children}</div>
    </dialog>
  );
}

export const ModalHead = ({ title, close }: Pick<ModalProps, 'title' | 'close'>) => (
  <header className="modal-head">
    <h2>{title}</h2>
    <button type="button" className="quiet" onClick={close}>
      {texts.close}
    </button>
  </header>
);
