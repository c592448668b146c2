import { type ReactNode, useEffect, useRef, useState } from 'react';
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

type NewEntryProps = {
  /** Names the button and the dialog. */
  readonly title: string;
  readonly startsOpen?: boolean;
  readonly form: (close: () => void) => ReactNode;
};

/** A button of a page's head that opens the form of a new entry. */
export function NewEntry({ title, startsOpen = false, form }: NewEntryProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        {title}
      </button>
      {isOpen && (
        <Modal title={title} close={close}>
          <ModalHead title={title} close={close} />
          {form(close)}
        </Modal>
      )}
    </>
  );
}
