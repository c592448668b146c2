import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { settings } from '../settings.ts';
import { Mark } from '../shell/shell.tsx';
import { texts } from '../texts.ts';
import { finishSignIn, startSignIn } from './sign-in.ts';

/** Goes to the issuer at once, unless something has to be said first. */
export function SignInPage() {
  const {
    refused,
    signed_out: signedOut,
    return: returnTo = '/',
  } = useSearch({ strict: false }) as Record<string, string>;
  const waits = settings.issuer === null || refused !== undefined || signedOut !== undefined;
  useEffect(() => {
    if (!waits) void startSignIn(returnTo);
  }, [waits, returnTo]);
  return (
    <section className="narrow card sign-in">
      <Mark />
      <h1>{texts.signIn.title}</h1>
      {settings.issuer === null && <p role="alert">{texts.signIn.unreachable}</p>}
      {refused && (
        <p role="alert">{refused === 'session_ended' ? texts.signIn.ended : texts.signIn.refused(refused)}</p>
      )}
      {signedOut && <p>{texts.signIn.signedOut}</p>}
      {waits ? (
        <button
          type="button"
          className="primary"
          disabled={settings.issuer === null}
          onClick={() => startSignIn(returnTo)}
        >
          {texts.signIn.title}
        </button>
      ) : (
        <p role="status">{texts.signIn.going}</p>
      )}
    </section>
  );
}

let finishing: ReturnType<typeof finishSignIn> | null = null;

/** Where the issuer sends people back to. */
export function SignedInPage() {
  const { history } = useRouter();
  useEffect(() => {
    // Once, although React mounts twice in development: a code is good for one exchange.
    finishing ??= finishSignIn();
    void finishing.then(({ returnTo, refused }) => {
      finishing = null;
      if (refused === null) return history.replace(returnTo);
      // The issuer no longer knows the person: it has to ask.
      if (refused === 'login_required') return startSignIn(returnTo);
      return history.replace(`/sign-in?${new URLSearchParams({ refused, return: returnTo })}`);
    });
  }, [history]);
  return (
    <section className="narrow card">
      <p role="status">{texts.signIn.finishing}</p>
    </section>
  );
}
