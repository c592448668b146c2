import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { texts } from '../texts.ts';
import { finishSignIn, startSignIn } from './sign-in.ts';

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
