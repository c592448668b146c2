import { useState } from 'react';
import { texts } from '../texts.ts';

export function Snippet({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className="snippet" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </figure>
  );
}

type CopyButtonProps = {
  readonly text: string | (() => Promise<string>);
  /** Says what is copied, if several such buttons stand on a page. */
  readonly name?: string;
  readonly label?: string;
};

export function CopyButton({ text, name, label = texts.copy }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={name && 'quiet'}
      aria-label={name && `${texts.copy} ${name}`}
      onClick={async () => {
        await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
        setCopied(true);
      }}
    >
      {copied ? texts.copied : label}
    </button>
  );
}
