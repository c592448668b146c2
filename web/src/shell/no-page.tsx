import { Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';

export function NoPage() {
  return (
    <section>
      <h1>{texts.errors.noPage}</h1>
      <p>
        <Link to="/">{texts.nav.find}</Link>
      </p>
    </section>
  );
}
