import { useState } from 'react';
import { texts } from '../texts.ts';

export function Snippet({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <figure className="snippet" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button
        type="button"
        onClick={async () => {
          await navigator.clipboard.writeText(text);
          setCopied(true);
        }}
      >
        {copied ? texts.copied : texts.copy}
      </button>
    </figure>
  );
}
