import './leaves-out.css';
import { type ReactNode, useId } from 'react';
import type { Claim } from '../../../shared/contract/claim.ts';
import { limitLines } from '../../../shared/contract/claim-words.ts';
import { texts } from '../texts.ts';
import { useScopeName } from './provider-names.ts';
import { Prose } from './time.tsx';

type LeavesOutProps = {
  readonly claim: Pick<Claim, 'limits'>;
  /** What the page leaves out beside the limits of the claim. */
  readonly others?: readonly string[];
  /** How far the answer goes, which stands where nothing is left out. */
  readonly reach?: string;
  /** What lifts a limit by a click. */
  readonly children?: ReactNode;
};

/** What limits a claim, in words that are never clipped; the names and remedies open below. */
export function LeavesOut({ claim, others = [], reach, children }: LeavesOutProps) {
  const id = useId();
  const sentences = [...claim.limits.map(({ text }) => text), ...others];
  const lines = [...limitLines(claim, useScopeName()), ...others];
  const isQuiet = claim.limits.every(({ blocks }) => !blocks);
  return (
    <section className="leaves-out" aria-labelledby={id} data-quiet={isQuiet}>
      <h2 id={id}>{texts.leavesOut.title}</h2>
      {sentences.length === 0 && (
        <p>
          {texts.leavesOut.nothing} {reach}
        </p>
      )}
      {sentences.length > 0 && lines.join() === sentences.join() && (
        <p>
          <Prose text={sentences.join(' ')} />
        </p>
      )}
      {lines.join() !== sentences.join() && (
        <details>
          <summary>
            <span>
              <Prose text={sentences.join(' ')} />
            </span>{' '}
            <u>{texts.leavesOut.more}</u>
          </summary>
          <ul>
            {lines.map((line) => (
              <li key={line}>
                <Prose text={line} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {children}
    </section>
  );
}

/** Where a number will stand that has not been loaded. */
export const Skeleton = () => <span className="skeleton" role="img" aria-label={texts.loading} />;
