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

/** Copies a text; `name` says which, if several stand on a page. */
export function CopyButton({ text, name }: { readonly text: string; readonly name?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={name && 'quiet'}
      aria-label={name && `${texts.copy} ${name}`}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(true);
      }}
    >
      {copied ? texts.copied : texts.copy}
    </button>
  );
}
